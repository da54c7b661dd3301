import { argumentsOf, plain } from "../code/expressions.ts";
import { type CodeNode, part, walk } from "../code/ir.ts";

const nodesMax = 200;
/** Classes that write the message as it is passed to them. */
const builtIn = /^(?:Type|Range|Syntax|Reference|URI|Eval)?Error$/;
/** A shorter text may be in the message by chance. */
const writtenUnitsMin = 6;
const partsMax = 20;

/**
 * Returns what a message has before the text that a `throw` writes first: something caught the error and changed its
 * message. Null where the message starts with that text, or doesn't have it.
 */
export function addedPrefix(raise: CodeNode, message: string): string | null {
  const made = [...walk(raise, nodesMax)].filter(({ kind, name }) => kind === "call" && builtIn.test(name ?? ""));
  const [only] = made;
  const said = only && made.length === 1 ? argumentsOf(only)[0]?.value : undefined;
  const start = said ? startOf(plain(said)) : null;
  if (start === null || start.trim().length < writtenUnitsMin) return null;
  const at = message.indexOf(start);
  const prefix = message.slice(0, Math.max(0, at));
  return prefix.endsWith(": ") ? prefix.trimEnd() : null;
}

/** Returns the literal text that an expression starts with; null when it starts with a value. */
function startOf(expression: CodeNode): string | null {
  let node: CodeNode | null = expression;
  for (let depth = 0; node?.kind === "binary" && node.name === "+" && depth < partsMax; depth++)
    node = part(node, "left");
  const first = node?.kind === "template" ? node.children[0] : node;
  return first?.kind === "string" ? first.name : null;
}
