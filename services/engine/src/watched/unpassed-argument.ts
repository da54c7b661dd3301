import type { Hit } from "@whence/protocol";
import { undefinedOrNull } from "../signals/code/bad-value.ts";
import type { AnyCodeSignal } from "../signals/signal.ts";
import { throwingSignal } from "../signals/throwing-signal.ts";
import { lastName } from "../source/anchor.ts";
import type { CodeFile, PassedArgument, Traced } from "../trace/traced.ts";
import type { CodeUnit } from "./code-at.ts";
import type { SeenFunctions } from "./seen-functions.ts";

type Call = Hit["callers"][number];

/** A call that left out the argument which failed. */
export interface UnpassedArgument {
  /** The parameter: its name or its pattern. */
  readonly name: string;
  /** A stop in the function that was called. */
  readonly hit: Hit;
  /** Where it was called. */
  readonly caller: Call;
}

/** A parameter that was missing in a call. */
interface MissingParameter {
  readonly name: string;
  readonly index: number;
  readonly at: CodeUnit;
  readonly hit: Hit;
}

const missing: ReadonlySet<string> = new Set(["undefined", undefinedOrNull, "None"]);
const variable = /^[A-Za-z_$][\w$]*$/;
const hopsMax = 4;

/** Returns the call that didn't pass the failing value, as the stops show it; null where none is seen. */
export function unpassedArgumentOf(
  { signals, files }: Pick<Traced, "signals" | "files">,
  seen: SeenFunctions,
): UnpassedArgument | null {
  const byName = new Map(files.map((file) => [file.source.name, file]));
  let next = failingParameter(signals, seen, byName);
  for (let hop = 0; next !== null && hop < hopsMax; hop += 1) {
    const { name, index, at, hit } = next;
    const caller = callerOf(hit, seen);
    const file = caller && byName.get(caller.file);
    const passed = file && argumentsAt(file, caller, at);
    if (!passed) return null;
    const argument = (passed.find((one) => one.name === name) ?? passed[index])?.text;
    // Several that aren't passed are optional.
    if (argument === undefined) return passed.length === index ? { name, hit, caller } : null;
    if (!variable.test(argument) || missing.has(argument)) return null;
    const call = seen.failure.thrown.find((one) => one.file === caller.file && one.line === caller.line);
    next = call ? parameterIn(argument, call, seen, byName) : null;
  }
  return null;
}

/** Returns the parameter that was missing where the error was thrown. */
function failingParameter(
  signals: readonly AnyCodeSignal[],
  seen: SeenFunctions,
  files: ReadonlyMap<string, CodeFile>,
): MissingParameter | null {
  const site = throwingSignal(signals);
  if (site?.kind !== "bad-value" || !missing.has(site.args.was)) return null;
  const [hit] = seen.failure.thrown;
  const { expression, path } = site.args;
  const [name, field] = path ?? [];
  if (name !== undefined && field === undefined) return parameterIn(name, hit, seen, files);
  const at = seen.code.ran(hit);
  // A pattern in the head of the function.
  const index = expression.startsWith("{") ? (at?.function?.parameters.indexOf(null) ?? -1) : -1;
  return at && index >= 0 ? { name: expression, index, at, hit } : null;
}

/** Returns the parameter of a name that was missing in a call, or in the call that made its function. */
function parameterIn(
  name: string,
  hit: Hit,
  seen: SeenFunctions,
  files: ReadonlyMap<string, CodeFile>,
): MissingParameter | null {
  const at = seen.code.ran(hit);
  const file = at ? files.get(at.file) : undefined;
  const own = at?.function;
  if (!file || !own) return null;
  const { start, end } = own;
  const around = file.functions
    .filter((one) => one.start <= start && one.end >= end)
    .toSorted((one, other) => one.end - one.start - (other.end - other.start));
  for (const one of around) {
    const index = one.parameters.indexOf(name);
    if (index < 0) continue;
    const stop =
      one === own
        ? hit
        : seen.failure.before.findLast((other) => name in other.values && seen.code.ran(other)?.function === one);
    const unit = stop && seen.code.ran(stop);
    return stop && unit && missing.has(stop.values[name] ?? "") ? { name, index, at: unit, hit: stop } : null;
  }
  return null;
}

/** Returns where the call of a stop came from: the next on the stack, which a throw may have without its callers. */
function callerOf(hit: Hit, { failure: { thrown } }: SeenFunctions): Call | undefined {
  return hit.callers[0] ?? thrown[thrown.indexOf(hit) + 1];
}

/** Returns what a line passes to a function, by whichever name it is called there. */
function argumentsAt(file: CodeFile, { line }: Call, { function: called }: CodeUnit): readonly PassedArgument[] | null {
  const own = lastName(called?.name ?? null);
  const owner = own === "constructor" || own === "__init__" ? called?.name?.split(/[.#:]/).at(-2) : undefined;
  for (const name of [own, owner]) {
    const passed = name ? file.passed(line, name) : null;
    if (passed) return passed;
  }
  return file.passed(line, "call")?.slice(1) ?? null;
}
