import type { CodeSignalArgs } from "../../signals/signal.ts";
import { inlineCode, list } from "../prose.ts";

type BadValue = CodeSignalArgs["bad-value"];

/** What runtimes call a value that isn't there. */
const nothing: ReadonlySet<string> = new Set(["undefined", "null", "nil", "None", "nullptr"]);

/** Whether the value was missing, rather than of another type or form. */
export function isMissing({ was, use, member }: Pick<BadValue, "was" | "use" | "member">): boolean {
  return nothing.has(was) && !isMissingKey({ was, use, member });
}

/** What the code does with a value that it can't do it with, as a predicate of its place. */
export function badUse(args: BadValue): string {
  const { expression, was, use, member } = args;
  const value = inlineCode(expression);
  if (isMissingKey(args)) return `finds no ${inlineCode(was)} in ${value}`;
  if (was === "closed") return `uses a channel that is already closed (${value})`;
  if (was === "too short") return `reads past the end of ${value}`;
  const which = `which ${stateText(was)}`;
  const wanted = member === null ? null : inlineCode(member);
  switch (use) {
    case "read":
      if (wanted !== null) return `reads ${wanted} of ${value}, ${which}`;
      return nothing.has(was) ? `dereferences ${value}, ${which}` : `uses ${value}, ${which}`;
    case "call":
      return wanted === null ? `calls ${value}, ${which}` : `calls ${wanted} on ${value}, ${which}`;
    case "write":
      return wanted === null ? `writes to ${value}, ${which}` : `sets ${wanted} on ${value}, ${which}`;
    case "iterate":
      return `iterates over ${value}, ${which}`;
    case "element":
      return `reads an element of ${value}, ${which}`;
    case "operand":
      return operandText(value, was);
    case "argument":
      return wanted === null ? `passes on ${value}, ${which}` : `calls ${wanted} with ${value}, ${which}`;
    case "divide":
      return `divides by ${value}, ${which}`;
  }
}

/** Whether the container lacks a key: the error then names the key, and no value. */
function isMissingKey({ was, use, member }: Pick<BadValue, "was" | "use" | "member">): boolean {
  return use === "element" && member !== null && was === member;
}

/** States that are words, rather than values and types. */
const states: Readonly<Record<string, string>> = {
  "no number": "isn't a number",
  "another length": "has another length than expected",
  "a nil map": "is a nil map",
  empty: "is empty",
};

function stateText(was: string): string {
  const said = states[was];
  if (said !== undefined) return said;
  if (was.startsWith("not ")) return `isn't ${was.slice("not ".length)}`;
  if (was.startsWith("frozen ")) return `is a frozen ${inlineCode(was.slice("frozen ".length))}`;
  if (nothing.has(was) || /^-?\d/.test(was)) return `is ${inlineCode(was)}`;
  return /[\s-]/.test(was) ? `is ${was}` : `is of type ${inlineCode(was)}`;
}

/** An operator whose operands it has no value for; the error names one of their types, or both. */
function operandText(expression: string, was: string): string {
  if (was.startsWith("not ")) return `evaluates ${expression} with a value that ${stateText(was)}`;
  if (nothing.has(was)) return `evaluates ${expression} with ${inlineCode(was)}`;
  const types = was.split(" or ").map(inlineCode);
  return `finds the ${types.length === 1 ? "type" : "types"} ${list(types)} in ${expression}`;
}
