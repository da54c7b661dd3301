import { z } from "zod";
import type { LinkWords } from "../../words/link-words.ts";
import { count, inlineCode } from "../../words/prose.ts";
import { linked } from "../kind.ts";
import { factKind, partOfWhole } from "./fact-kind.ts";
import type { FailureView } from "./failure-view.ts";

const failingCallsSchema = z
  .object({
    host: z.string(),
    /** The service that answers there, if known. */
    service: z.string().nullable(),
    how: z.enum(["error", "status", "slow", "unanswered"]),
    events: z.number(),
    of: z.number(),
    /** The same count for other events of the service. */
    others: z.number(),
    othersOf: z.number(),
    /** The probability of the difference by chance. */
    chance: z.number(),
  })
  .readonly();

/** Calls to one host that failed just before events of this failure. */
export type FailingCalls = z.output<typeof failingCallsSchema>;

/** The words for calls that failed before the failures. */
const failingCallsLink: LinkWords<{ readonly calls: FailingCalls }> = {
  what: ({ calls: { host, service, how, events, of } }) =>
    of === 1
      ? `a call to ${inlineCode(service ?? host)} ${callWords[how]} just before the failure`
      : `calls to ${inlineCode(service ?? host)} ${callWords[how]} before ${events} of ${count(of, "failure")}`,
  fix: ({ calls: { host, service } }) => ({
    title: `Check ${inlineCode(service ?? host)}`,
    detail: `Read its errors from the time of the failure, and call ${inlineCode(host)} from a host of the failing service.`,
  }),
  prevent: ({ calls: { host } }) => ({
    title: `Prepare for outages of ${inlineCode(host)}`,
    detail: `Check status and content type before reading its response, set a timeout, and fail with an error that names ${inlineCode(host)}.`,
  }),
  confirmedBy: ({ calls: { host } }) => `the next failures also follow a failed call to ${inlineCode(host)}`,
  ruledOutBy: ({ calls: { host } }) => `the failure occurs while calls to ${inlineCode(host)} succeed`,
};

/** A difference with a lower probability than this isn't a coincidence. */
const chanceMax = 0.01;

const fact = factKind({
  name: "failing-calls",
  means: "Calls to one host that failed just before events of the failure",
  data: z.object({ calls: failingCallsSchema }),
  example: {
    calls: {
      host: "payments:8080",
      service: "payments",
      how: "status",
      events: 19,
      of: 20,
      others: 1,
      othersOf: 40,
      chance: 0.000_01,
    },
  },
  evidence: ({ calls: { host, service, how, events, of, others, othersOf } }) => {
    const target = service === null ? inlineCode(host) : `${inlineCode(service)} (${inlineCode(host)})`;
    const compared = othersOf === 0 ? "" : `, and before ${others} of ${count(othersOf, "other event")}`;
    return `a call to ${target} ${outcomes[how]} before ${events} of ${count(of, "failure")}${compared}`;
  },
  isComputed: true,
  problems: ({ calls: { events, of } }) => partOfWhole(events, of),
  called: ({ calls: { host, service, how } }) => [
    { host, service, hasFailed: true, hasAnswered: how === "status" || how === "slow" },
  ],
  weights: ["callsAlwaysFailed", "callsFailed", "callsOfSomeProcesses"],
  reason: ({ calls: { service, events, of, others, chance } }, failure) => {
    const { own, worth } = failure;
    if (service === null || service === own) return null;
    const isRule = chance <= chanceMax || (others === 0 && events === of);
    const weight = isRule ? worth.callsAlwaysFailed : worth.callsFailed;
    return { service, weight: weight * callerFactor(failure), category: null };
  },
  predicts: () => ["only-with-failed-call", "stops-with-recovery"],
});

export const failingCalls = linked(fact, failingCallsLink);

/** Returns the part of a failed call's weight that is left when only some of the caller's processes fail. */
export function callerFactor({
  worth,
  isOfSomeProcesses,
}: Pick<FailureView<"callsOfSomeProcesses">, "worth" | "isOfSomeProcesses">): number {
  return isOfSomeProcesses ? worth.callsOfSomeProcesses : 1;
}

const outcomes = {
  error: "failed",
  status: "returned an error",
  slow: "took far longer than usual",
  unanswered: "had no answer yet",
} as const;

const callWords = { ...outcomes, unanswered: "had no answer" } as const;
