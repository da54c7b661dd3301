import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";
import { factKind } from "./fact-kind.ts";

const onwardCallSchema = z
  .object({
    /** The service that made the call, and failed after it. */
    from: z.string(),
    /** RFC 3339. */
    at: z.string(),
    host: z.string(),
    /** The service that answers there; null when it isn't known. */
    service: z.string().nullable(),
    /** `refused`: with another 4xx status than those for credentials and rates. */
    how: z.enum(["error", "status", "slow", "unanswered", "refused"]),
    /** Null without an answer. */
    status: z.number().nullable(),
  })
  .readonly();

/** A failed call of a service that failed when a failure was announced, to a host that reported no failure. */
export type OnwardCall = z.output<typeof onwardCallSchema>;

export const onwardCall = factKind({
  name: "onward-call",
  means: "A failed call at the time of an announced failure, to a host that reported no failure",
  data: z.object({ call: onwardCallSchema }),
  example: {
    call: {
      from: "orders",
      at: "2026-03-01T10:00:00.000Z",
      host: "payments:8080",
      service: "payments",
      how: "status",
      status: 502,
    },
  },
  evidence: ({ call: { from, host, service, how, status } }) => {
    const target = service === null ? inlineCode(host) : `${inlineCode(service)} (${inlineCode(host)})`;
    return `a call from ${inlineCode(from)} to ${target} ${status === null ? outcomes[how] : `returned ${status}`} before ${inlineCode(from)} failed`;
  },
  isComputed: true,
  called: ({ call: { host, service, how } }) => [
    { host, service, hasFailed: true, hasAnswered: how === "status" || how === "slow" || how === "refused" },
  ],
  weights: ["onwardCall"],
  reason: ({ call: { host, service } }, { own, worth }) =>
    service === own ? null : { service, host, weight: worth.onwardCall, category: null },
});

const outcomes = {
  error: "failed",
  status: "returned an error",
  slow: "took far longer than usual",
  unanswered: "had no answer yet",
  refused: "was rejected",
} as const;
