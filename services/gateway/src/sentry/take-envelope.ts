import type { Batch, SentryProject } from "@whence/protocol";
import type { NewMessage } from "@whence/storage";
import { gatewayErrors } from "../errors.ts";
import type { BatchFrame } from "../telemetry/batch-messages.ts";
import { takeBatch } from "../telemetry/take-batch.ts";
import { type Envelope, type EnvelopeItem, parseJson } from "./envelope.ts";
import { clientReportSchema, sentryEventSchema } from "./event-schema.ts";
import { sentryLimits } from "./sentry-limits.ts";
import { eventBatch, lossesBatch } from "./to-batch.ts";

/** What became of an item: `counted` ones are of a kind that isn't kept. */
export type ItemOutcome = "stored" | "counted" | "invalid";

/** An envelope as messages of the telemetry queue. */
export interface TakenEnvelope {
  /** As the client knows it; undefined when the envelope is about no event. */
  readonly id: string | undefined;
  readonly messages: readonly NewMessage[];
  readonly events: number;
  readonly items: readonly { readonly type: string; readonly outcome: ItemOutcome }[];
}

/** Types with a series of their own in metrics. The list is closed, so that no client can create new series. */
const countedTypes: ReadonlySet<string> = new Set([
  ...["event", "client_report", "session", "sessions", "transaction", "span", "attachment", "check_in", "feedback"],
  ...["user_report", "profile", "profile_chunk", "replay_event", "replay_recording", "log", "trace_metric"],
]);

/** Returns the name under which an item of this type is counted. */
export function countedType(type: string): string {
  return countedTypes.has(type) ? type : "other";
}

/**
 * Turns an envelope into messages: its events, and what its client says it dropped. Other items are only counted. Throws
 * `WHENCE_ERR_SENTRY_ENVELOPE` or `WHENCE_ERR_SENTRY_TOO_LARGE` when an event can't be taken, and then takes nothing.
 */
export function takeEnvelope(envelope: Envelope | null, project: SentryProject, frame: BatchFrame): TakenEnvelope {
  if (!envelope) throw gatewayErrors.create("WHENCE_ERR_SENTRY_ENVELOPE", ["it is empty"]);
  const messages: NewMessage[] = [];
  let { eventId: id } = envelope;
  let events = 0;
  const items = envelope.items.map(({ type, payload }) => {
    const { batch, outcome } = batchOf({ type, payload }, { envelope, project, frame });
    if (batch) {
      const taken = takeBatch({ text: JSON.stringify(batch), value: batch }, frame);
      if (taken.rejected.length > 0) throw tooLarge("an event without what could be left out");
      messages.push(...taken.messages);
      events += taken.accepted;
      id ??= batch.events[0]?.id.replaceAll("-", "");
    }
    return { type, outcome };
  });
  return { id, messages, events, items };
}

interface Circumstances {
  readonly envelope: Envelope;
  readonly project: SentryProject;
  readonly frame: BatchFrame;
}

function batchOf(
  { type, payload }: EnvelopeItem,
  { envelope, project, frame }: Circumstances,
): { readonly batch: Batch | null; readonly outcome: ItemOutcome } {
  if (type === "event") {
    if (payload.length > sentryLimits.itemBytesMax) throw tooLarge("an event");
    const event = sentryEventSchema.safeParse(parseJson(payload)).data;
    if (!event) throw gatewayErrors.create("WHENCE_ERR_SENTRY_ENVELOPE", ["its event isn't a JSON object"]);
    const known = { ...event, event_id: event.event_id ?? envelope.eventId };
    return { batch: eventBatch(known, project, frame), outcome: "stored" };
  }
  if (type !== "client_report") return { batch: null, outcome: "counted" };
  const report = payload.length <= sentryLimits.itemBytesMax && clientReportSchema.safeParse(parseJson(payload)).data;
  if (!report) return { batch: null, outcome: "invalid" };
  const batch = lossesBatch(report, project, frame);
  return { batch, outcome: batch ? "stored" : "counted" };
}

function tooLarge(what: string): Error {
  return gatewayErrors.create("WHENCE_ERR_SENTRY_TOO_LARGE", [what, sentryLimits.itemBytesMax, "of JSON"]);
}
