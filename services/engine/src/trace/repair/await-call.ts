import type { RemedyOf } from "../../signals/code/remedy.ts";
import { isAwaited } from "../expressions.ts";
import { around, is } from "../ir.ts";
import { insert, type Repairing } from "./repair.ts";

/** Awaits the only call of that name on the line, where the function around it may wait. */
export const awaitCall: Repairing<RemedyOf<"await">> = ({ callee }, { program, signal: { subject } }) => {
  const { source, calls } = program;
  const [call, other] = (calls.get(callee) ?? []).filter(
    (one) => source.lineAt(one.start) === subject.line && !isAwaited(one),
  );
  const owner = call && around(call, "function");
  if (!call || other || !owner || !is(owner, "async")) return null;
  const isRead = call.role === "on" || call.role === "callee";
  return {
    by: "await",
    edits: isRead
      ? [insert(source, call.start, "(await "), insert(source, call.end, ")")]
      : [insert(source, call.start, "await ")],
    subject: callee,
  };
};
