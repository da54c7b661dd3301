import { outsideLogSchema } from "@whence/protocol";
import { count, inlineCode } from "../../words/prose.ts";
import { outsideKind } from "./outside-kind.ts";
import { weightless } from "./outside-view.ts";

export const log = outsideKind({
  name: "log",
  means: "A log line, or several equal ones",
  data: outsideLogSchema,
  example: {
    kind: "log",
    level: "error",
    message: "too many connections",
    source: "orders-db",
    at: "2026-03-01T09:59:00.000Z",
    count: 12,
  },
  evidence: ({ vendor, level, message, source, count: times }) => {
    const from = source === null ? "" : ` from ${inlineCode(source)}`;
    return `${vendor} has ${count(times, level === null ? "log line" : `${level} log line`)}${from}: ${inlineCode(message)}`;
  },
  problems: ({ count: times }) => (times < 1 ? ["a log line was never logged"] : []),
  weights: ["calledLog"],
  // Error lines of a called service.
  weigh: (_, relation, { weights }) =>
    relation.kind === "called" && relation.place.hasFailed
      ? { weight: weights.worth.calledLog, category: null }
      : weightless,
});
