/** A value attached to objects of the program. */
export interface Attachment<Value> {
  /** Returns the value attached to `target`. */
  of(target: object): Value | undefined;
  /** Attaches `value`, replacing a previous one. */
  to(target: object, value: Value): void;
}

/** Returns the given object from its constructor, so that the fields of a subclass become that object's. */
class Given {
  constructor(target: object) {
    // biome-ignore lint/correctness/noConstructorReturn: it is what this class is for
    return target;
  }
}

/**
 * Creates an attachment that stores its values in a private field of the program's objects, where neither printing nor
 * copying the object shows it. Works like a WeakMap, but a WeakMap makes every garbage collection slower with every
 * live key: a tenth of a small request's cost.
 */
export function attachment<Value>(): Attachment<Value> {
  /** For objects that can't be extended: V8 will soon reject private fields on them, too. */
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
