/** One value of ours for each of the program's objects that has been given one. */
export interface Attachment<Value> {
  /** What was attached to `target`. */
  of(target: object): Value | undefined;
  /** Attaches `value`, in the place of what was there. */
  to(target: object, value: Value): void;
}

/** Returns the object that it is given, so that the fields of a class that extends it become that object's. */
class Given {
  constructor(target: object) {
    // biome-ignore lint/correctness/noConstructorReturn: it is what this class is for
    return target;
  }
}

/**
 * A place for values in a private field of objects that are not ours: no key and no symbol, so that nothing shows it,
 * neither printing the object nor copying it. It does what a WeakMap does, which makes every garbage collection dearer
 * by every object that lives in it: a tenth of all that a small request costs.
 */
export function attachment<Value>(): Attachment<Value> {
  /** For what can't be extended: V8 is about to hold to that for private fields, too. */
  const refused = new WeakMap<object, Value>();

  class Attached extends Given {
    #value: Value;

    private constructor(target: object, value: Value) {
      super(target);
      this.#value = value;
    }

    static of(target: object): Value | undefined {
      return #value in target ? target.#value : refused.get(target);
    }

    static to(target: object, value: Value): void {
      if (#value in target) target.#value = value;
      else {
        try {
          new Attached(target, value);
        } catch {
          refused.set(target, value);
        }
      }
    }
  }
  return Attached;
}
