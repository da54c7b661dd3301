import { isShortlyBefore } from "@whence/protocol";
import type { EventFacts } from "../findings/event-facts.ts";
import type { ValueSource } from "./code/value-sources.ts";
import type { OutgoingCall } from "./inputs/call.ts";
import type { SentRequest } from "./sent-request.ts";
import type { AnyCodeSignal } from "./signal.ts";

/** Returns the outgoing calls shortly before the error that can have led to it, the latest first. */
export function recentCalls(event: EventFacts | null): OutgoingCall[] {
  return callsShortlyBefore(event).filter(({ isRelated }) => isRelated);
}

/** Returns those of {@link recentCalls} that failed or were rejected. */
export function troubledCalls(event: EventFacts | null): OutgoingCall[] {
  return recentCalls(event).filter(({ trouble }) => trouble !== null);
}

/**
 * Marks as related the process's calls whose response the failing value was traced to, when the event has no request:
 * the code there contains parts of the URL, or no other call was answered shortly before.
 */
export function withFollowedCalls(event: EventFacts, signals: readonly AnyCodeSignal[]): EventFacts {
  if (event.request !== undefined) return event;
  const requests = signals.flatMap((signal) => (isAnswer(signal) && signal.request ? [signal.request] : []));
  if (requests.length === 0) return event;
  const answered = callsShortlyBefore(event).filter(({ data }) => data.status_code !== undefined);
  const spelled = answered.filter(({ data }) => requests.some((request) => spellsUrl(request, data.url)));
  const isOnly = answered.length === 1 && requests.every(({ urlParts }) => urlParts.length === 0);
  const followed = new Set(isOnly ? answered : spelled);
  return { ...event, calls: event.calls.map((call) => (followed.has(call) ? { ...call, isRelated: true } : call)) };
}

/** Returns the process's outgoing calls shortly before the error, the latest first. */
export function callsShortlyBefore(event: EventFacts | null): OutgoingCall[] {
  if (!event) return [];
  return event.calls.filter(({ at }) => isShortlyBefore(at, event.at)).toReversed();
}

/** Returns whether the code takes in the response of a call at this step. */
function isAnswer(signal: AnyCodeSignal): boolean {
  return signal.kind === "value-step" && answers.has(signal.args.how);
}

const answers: ReadonlySet<ValueSource> = new Set<ValueSource>(["outside-answer", "answer-field", "awaited-call"]);

/** Returns whether the literal parts in the code occur in the URL in this order. */
export function spellsUrl({ urlParts }: Pick<SentRequest, "urlParts">, url: string): boolean {
  let from = 0;
  return (
    urlParts.length > 0 &&
    urlParts.every((text) => {
      const at = url.indexOf(text, from);
      from = at + text.length;
      return at >= 0;
    })
  );
}
