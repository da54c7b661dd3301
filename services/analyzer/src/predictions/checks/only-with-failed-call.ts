import { type Check, examples, quote, timesText } from "../look.ts";
import { hasFailedCall } from "./calls.ts";

const eventsMin = 3;
/** One stray event may have lost its breadcrumbs. */
const withoutMin = 2;
const withoutShareMax = 0.1;

/** Refuted by several events without a failed call to the host before them; upheld when nearly all have one. */
export const onlyWithFailedCall: Check<"only-with-failed-call"> = async (watch, look) => {
  const events = await examples(watch, look);
  const without = events.filter((event) => !hasFailedCall(event, watch.upstream));
  const counts = { events: events.length, without_failed_call: without.length };
  const [stray] = without;
  if (stray && without.length >= withoutMin && without.length > events.length * withoutShareMax) {
    const reason = `${without.length} of ${events.length} events occurred without a failed call to ${watch.upstream} before them`;
    return { outcome: "refuted", reason, counts, excerpt: quote(stray) };
  }
  if (!look.isDue)
    return {
      outcome: "open",
      reason: `${events.length === 1 ? "1 event" : `${events.length} events`} checked so far`,
      counts,
    };
  if (events.length < eventsMin || without.length > events.length * withoutShareMax) {
    const reason = `too little traffic to tell: it occurred ${timesText(events.length)}, and ${eventsMin} times are needed`;
    return { outcome: "open", reason, counts };
  }
  const [first] = events;
  const reason = `a call to ${watch.upstream} failed before ${events.length - without.length} of ${events.length} events`;
  return { outcome: "upheld", reason, counts, excerpt: first ? quote(first) : null };
};
