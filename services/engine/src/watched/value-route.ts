import type { StepArgs } from "../signals/code/value-sources.ts";
import type { AnyCodeSignal } from "../signals/signal.ts";

/** A step of an expression is named by its text. */
const variable = /^[A-Za-z_$][\w$]*$/;

/** Where the failing value is at a step of its trail. */
export interface ValueAt {
  /** The name of a variable, and the fields from there. */
  readonly path: readonly [string, ...string[]];
  /** Whether a variable has it only after the line ran. */
  readonly isAfter: boolean;
}

/**
 * Returns the variable, and the field in it, that has the failing value at a signal; null where the code doesn't show
 * it.
 */
export function valueAt(signal: AnyCodeSignal): ValueAt | null {
  const base = baseOf(signal);
  const [name, ...fields] = base?.path ?? [];
  const needed = neededOf(signal);
  return base && name !== undefined && needed ? { ...base, path: [name, ...fields, ...needed] } : null;
}

/** Returns whether a step handles only the object around the failing value, without naming the value. */
export function isPassedInside(signal: AnyCodeSignal): boolean {
  return (neededOf(signal)?.length ?? 0) > 0;
}

/** Returns the fields of what a step yields that lead to the failing value; null where the code doesn't show them. */
function neededOf({ towards, ...signal }: AnyCodeSignal): readonly string[] | null {
  if (!towards) return [];
  const taken = takenBy(towards);
  const needed = neededOf(towards);
  if (!taken || !needed) return null;
  const [field, ...rest] = [...taken, ...needed];
  // An entry of an object, or a field that is read on its own, is what the object's user needs.
  const isEntry = signal.kind === "value-step" && signal.args.how === "property" && field === entryOf(signal.args);
  return isEntry ? rest : [...taken, ...needed];
}

/** Returns the variable or expression that has what a step yields. */
function baseOf(signal: AnyCodeSignal): ValueAt | null {
  if (signal.kind === "bad-value") return at(signal.args.path);
  if (signal.kind !== "value-step") return null;
  const { how, name, path } = signal.args;
  switch (how) {
    case "parameter":
      return at([name]);
    case "argument":
    case "property":
    case "answer-field":
      return at(path);
    case "return":
    case "returns-nothing":
    case "missing-key":
      return null;
    default:
      return variable.test(name) ? at([name], true) : null;
  }
}

function at([name, ...fields]: readonly string[] = [], isAfter = false): ValueAt | null {
  return name === undefined ? null : { path: [name, ...fields], isAfter };
}

/** Returns the fields that a step reads of what the step before yields. */
function takenBy({ kind, args }: AnyCodeSignal): readonly string[] | null {
  if (kind === "bad-value") return args.path?.slice(1) ?? null;
  if (kind !== "value-step") return null;
  if (args.keys) return args.keys;
  return args.how === "parameter" ? [] : (args.path?.slice(1) ?? []);
}

function entryOf({ assigned, path }: StepArgs): string | undefined {
  return assigned?.target ?? path?.at(-1);
}
