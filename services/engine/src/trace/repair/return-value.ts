import type { RemedyOf } from "../../signals/code/remedy.ts";
import { textOf } from "../code/expressions.ts";
import { returnsOf } from "../code/functions.ts";
import { type CodeNode, is, part } from "../code/ir.ts";
import { insert, type Repairing } from "./repair.ts";

/** What has a value and would be of no use as a statement: nothing is assigned, awaited, documented, or thrown. */
const valued: ReadonlySet<CodeNode["kind"]> = new Set<CodeNode["kind"]>([
  ...(["name", "member", "index", "call", "object", "list", "number"] as const),
  ...(["binary", "unary", "choice"] as const),
]);
/** Calls for what they do. */
const acting: ReadonlySet<string> = new Set("log info debug warn error print push append add set close end".split(" "));

/**
 * Returns the last expression of a function that ends without returning it, if the result is used, the function returns
 * nothing else or values elsewhere, and the expression isn't a statement with an effect of its own.
 */
export const returnValue: Repairing<RemedyOf<"return">> = (_, { program, signal: { subject } }) => {
  const { source, functions } = program;
  const silent = functions.filter((one) => source.lineAt(one.start) === subject.line && lastOf(one) !== null);
  const [owner] = silent;
  const last = owner && lastOf(owner);
  if (!owner || !last || silent.length > 1 || is(owner, "generator") || returnsOf(program, owner).includes(null))
    return null;
  return { by: "return", edits: [insert(source, last.start, "return ")], subject: textOf(last, source) };
};

/** Returns the expression that ends a function's body; null where it ends in anything else. */
function lastOf(owner: CodeNode): CodeNode | null {
  const body = part(owner, "body");
  const last = body?.kind === "block" ? body.children.at(-1) : undefined;
  return last && valued.has(last.kind) && !(last.kind === "call" && acting.has(last.name ?? "")) ? last : null;
}
