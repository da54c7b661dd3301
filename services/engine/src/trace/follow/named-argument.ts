import type { ParsedException } from "../../findings/parsed-error.ts";
import { lastName } from "../code/expressions.ts";
import type { CodeNode } from "../code/ir.ts";

/** What Node.js says of an argument: `The value of "offset" is out of range`, `The "path" argument must be of type …`. */
const refused = /^The (?:value of "(\w{1,60})" is out of range|"(\w{1,60})" argument must be )/;

/** The parameters of the methods of `Buffer` that read and write numbers. */
const numberMethods: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^write(?:U?[Ii]nt|Big|Float|Double)/, ["value", "offset", "byteLength"]],
  [/^read(?:U?[Ii]nt|Big|Float|Double)/, ["offset", "byteLength"]],
];

/**
 * Returns the argument of a call that the runtime's message names: by the parameters of the method, or by its own name.
 * Null where it names none, or it isn't known which.
 */
export function namedArgument(
  { message, properties: { base } }: Pick<ParsedException, "message" | "properties">,
  call: CodeNode,
  passed: readonly CodeNode[],
): CodeNode | null {
  // An address that the runtime prints as the base, and that is one, can't be what is invalid.
  if (message.startsWith("Invalid URL") && typeof base === "string" && URL.canParse(base)) return passed[0] ?? null;
  // Whatever else is passed along with an address, only the address has a protocol.
  if (/^(?:Protocol "[^"]{1,60}" not supported|Failed to parse URL from )/.test(message)) return passed[0] ?? null;
  const [, ranged, typed] = refused.exec(message) ?? [];
  const name = ranged ?? typed;
  if (name === undefined || passed.some(({ kind }) => kind === "spread")) return null;
  const parameters = numberMethods.find(([method]) => method.test(lastName(call) ?? ""))?.[1];
  if (parameters) return passed[parameters.indexOf(name)] ?? null;
  return passed.find((one) => lastName(one) === name) ?? null;
}
