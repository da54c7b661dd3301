import { attach, type Draft } from "../draft.ts";
import type { ReadableLine } from "../readable-line.ts";

/** What Py4J prints below the name of Python's error: `: org.apache.spark.SparkException: Job aborted`. */
const cause = /^: [a-z][\w.]{1,200}\.[A-Z]/;

/** Makes the JVM's error the cause of the error that Py4J raised in Python, which prints it as its message. */
export function joinPy4j(drafts: readonly Draft[], lines: readonly ReadableLine[]): void {
  const raised = drafts.filter(({ type }) => type.endsWith("Py4JJavaError"));
  if (raised.length === 0) return;
  const byEnd = new Map(raised.map((draft) => [draft.printed.end, draft]));
  const heads = drafts.filter(({ language, parent }) => language === "jvm" && parent === null);
  const byStart = new Map(heads.map((draft) => [draft.printed.start, draft]));
  for (const [index, { text, printed }] of lines.entries()) {
    const inner = cause.test(text) ? byStart.get(printed.start) : undefined;
    const outer = byEnd.get(lines[index - 1]?.printed.end ?? -1);
    if (inner && outer) attach(inner, outer, "cause");
  }
}
