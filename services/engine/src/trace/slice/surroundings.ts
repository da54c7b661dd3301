import { plain } from "../code/expressions.ts";
import { type CodeNode, part } from "../code/ir.ts";

const conditionsMax = 3;
const statementsMax = 6;

/** Returns the conditions and lists that decide whether code runs, in its function, the nearest first. */
export function conditionsAround(code: CodeNode): CodeNode[] {
  const found: CodeNode[] = [];
  for (let at = code; at.parent && at.kind !== "function" && found.length < conditionsMax; at = at.parent) {
    const { parent, role } = at;
    const isBranch = role === "then" || role === "otherwise";
    const isRepeated = role === "body" && parent.kind === "loop";
    const decides = isBranch || isRepeated ? part(parent, "condition") : null;
    const one = decides ?? (isRepeated ? part(parent, "over") : null);
    if (one) found.push(one);
  }
  return found;
}

/** Returns the statements before a line in its function that only call something, the nearest first. */
export function statementsBefore(line: CodeNode): CodeNode[] {
  const found: CodeNode[] = [];
  for (let at = line; at.parent && at.kind !== "function"; at = at.parent) {
    if (at.parent.kind !== "block") continue;
    const before = at.parent.children.slice(0, at.parent.children.indexOf(at));
    found.push(...before.filter((one) => plain(one).kind === "call").toReversed());
  }
  return found.slice(0, statementsMax);
}
