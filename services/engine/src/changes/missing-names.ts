import type { ParsedError } from "../findings/parsed-error.ts";
import type { AnyCodeSignal } from "../signals/signal.ts";

const namesMax = 30;
/** Words that validators quote and that aren't fields. */
const ordinary: ReadonlySet<string> = new Set(
  "string number boolean object array undefined null true false type code path message error errors name value expected received invalid_type reading".split(
    " ",
  ),
);

/**
 * Returns the fields, keys, and functions that the failing code didn't find: along the value's trail, and as the error
 * names them. The property read from the missing value isn't one of them.
 */
export function missingNames(error: ParsedError, signals: readonly AnyCodeSignal[]): ReadonlySet<string> {
  const traced = signals.flatMap(namesOf);
  const said = error.chain.flatMap((index) => quotedNames(error.exceptions[index]?.message ?? ""));
  return new Set([...traced, ...said].filter((name) => name.length > 1 && !ordinary.has(name)).slice(0, namesMax));
}

function namesOf(signal: AnyCodeSignal): string[] {
  if (signal.kind === "missing-export") return [signal.args.name];
  if (signal.kind === "bad-value") {
    const { was, use, member, expression } = signal.args;
    const own = use === "call" ? lastName(member ?? expression) : was === member ? lastName(member ?? "") : null;
    return [own, expression.includes(".") ? lastName(expression) : null].flatMap((name) => name ?? []);
  }
  if (signal.kind !== "value-step") return [];
  const { how, name, code } = signal.args;
  if (how === "answer-field") return [lastName(name) ?? ""];
  if (how === "property" && code.startsWith("{")) return [takenAs(name, code)];
  if (how === "property" || how === "missing-key" || (how === "argument" && code.includes(".")))
    return [lastName(code) ?? ""];
  return [];
}

/** The key that a destructuring pattern renames: `quantity` in `{ quantity: wanted } = body`. */
function takenAs(name: string, pattern: string): string {
  return new RegExp(`([\\w$]+)["']?\\s*:\\s*${name.replaceAll("$", "\\$")}\\b`).exec(pattern)?.[1] ?? name;
}

function quotedNames(message: string): string[] {
  const missing = message.replace(/\((?:reading|setting|evaluating) '[^']*'\)/g, "");
  return [...missing.matchAll(/["'`]([A-Za-z_$][\w$]{1,60})["'`]/g)].flatMap(({ 1: name }) => name ?? []);
}

/** The last name of a path: `amount` for `payment.amount` and for `body["amount"]`. */
export function lastName(path: string): string | null {
  return /[\w$]+$/.exec(path.replace(/["'\])]+$/, ""))?.[0] ?? null;
}
