import type { RemedyOf } from "../../signals/code/remedy.ts";
import { calleesOf } from "../code/calls.ts";
import { isAwaited } from "../code/expressions.ts";
import { around, type CodeNode, is } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { insert, type Repairing } from "./repair.ts";

/** Awaits the only call with that name on the line, where the function around it may be async. */
export const awaitCall: Repairing<RemedyOf<"await">> = ({ callee }, { program, codebase, signal: { subject } }) => {
  const { source, calls } = program;
  const [call, other] = (calls.get(callee) ?? []).filter(
    (one) => source.lineAt(one.start) === subject.line && !isAwaited(one),
  );
  const owner = call && around(call, "function");
  if (!call || other || !owner || !is(owner, "async")) return null;
  const isRead = call.role === "on" || call.role === "callee";
  const isGenerator = calleesOf(codebase, program, call).some(({ node }) => is(node, "generator"));
  if (isGenerator || !mayWait(program, call, owner) || (isRead && isContinued(program, call))) return null;
  return {
    by: "await",
    edits: isRead
      ? [insert(source, call.start, "(await "), insert(source, call.end, ")")]
      : [insert(source, call.start, "await ")],
    subject: callee,
  };
};

/** Returns whether the function itself waits at a call: not its defaults, a class in it, or a generator expression. */
function mayWait({ source }: Program, call: CodeNode, owner: CodeNode): boolean {
  for (let at = call.parent; at !== null && at !== owner; at = at.parent) {
    const isLazy =
      at.kind === "list" && source.text[at.start] === "(" && at.children.some(({ kind }) => kind === "loop");
    if (at.kind === "parameter" || at.kind === "class" || isLazy) return false;
  }
  return true;
}

/** Returns whether a parenthesis before a call would make it the arguments of what the line above ends with. */
function isContinued({ source, dialect }: Program, call: CodeNode): boolean {
  const before = source.text.slice(0, call.start);
  const { start } = source.lines(source.lineAt(call.start), source.lineAt(call.start));
  const beginsLine = before.slice(start).trim() === "";
  return dialect.writing?.isIndented !== true && beginsLine && !/(?:^|[;{([,=>?:&|!])$/.test(before.trimEnd());
}
