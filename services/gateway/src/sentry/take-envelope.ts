import type { Batch, SentryProject } from "@whence/protocol";
import type { NewMessage } from "@whence/storage";
import { gatewayErrors } from "../errors.ts";
import { type Turns, turnBytesMax } from "../plugins/turns.ts";
import type { BatchFrame } from "../telemetry/batch-messages.ts";
import { takeBatch } from "../telemetry/take-batch.ts";
import { sentryCheckInSchema } from "./check-in-schema.ts";
import { type Envelope, parseJson } from "./envelope.ts";
import { type ClientReport, clientReportSchema, type SentryEvent, sentryEventSchema } from "./event-schema.ts";
import { sentryLimits } from "./sentry-limits.ts";
import { eventBatch, hasLosses, lossesBatch } from "./to-batch.ts";
import { runMessage, toReportedRun } from "./to-reported-run.ts";

/** What became of an item: `counted` ones are of a kind that isn't kept, `over_limit` ones are unread. */
export type ItemOutcome = "stored" | "counted" | "invalid" | "over_limit";

/** An envelope as messages of the telemetry queue. */
export interface TakenEnvelope {
  /** As the client knows it; undefined when the envelope is about no event. */
  readonly id: string | undefined;
  readonly messages: readonly NewMessage[];
  readonly events: number;
  /** Whether one of the messages says what the client dropped. */
  readonly hasLosses: boolean;
  /** Runs of jobs, as messages of their own queue. */
  readonly runs: readonly NewMessage[];
  readonly items: readonly { readonly type: string; readonly outcome: ItemOutcome }[];
}

/** Types with a series of their own in metrics. The list is closed, so that no client can create new series. */
const countedTypes: ReadonlySet<string> = new Set([
  ...["event", "client_report", "session", "sessions", "transaction", "span", "attachment", "check_in", "feedback"],
  ...["user_report", "profile", "profile_chunk", "replay_event", "replay_recording", "log", "trace_metric"],
]);

/** Types whose items are parsed. */
const readTypes: ReadonlySet<string> = new Set(["event", "client_report", "check_in"]);

/** Returns the name under which an item of this type is counted. */
export function countedType(type: string): string {
  return countedTypes.has(type) ? type : "other";
}

/** Of an item that is read. Parsing one costs by its values, and the smallest take 2 or 3 bytes. */
const turnBytesMin = turnBytesMax / 8;

/**
 * Turns an envelope into messages: its events, what its client says it dropped, and runs of jobs. Other items are only counted. Each
 * item that is read waits for its turn. Rejects with `WHENCE_ERR_SENTRY_ENVELOPE` or `WHENCE_ERR_SENTRY_TOO_LARGE` when
 * an event can't be taken, and then takes nothing.
 */
export async function takeEnvelope(
  envelope: Envelope | null,
  { project, frame, turns }: { readonly project: SentryProject; readonly frame: BatchFrame; readonly turns: Turns },
): Promise<TakenEnvelope> {
  if (!envelope) throw gatewayErrors.create("WHENCE_ERR_SENTRY_ENVELOPE", ["it is empty"]);
  const messages: NewMessage[] = [];
  const runs: NewMessage[] = [];
  const reports: ClientReport[] = [];
  const items: { readonly type: string; readonly outcome: ItemOutcome }[] = [];
  let { eventId: id } = envelope;
  let events = 0;
  const add = (batch: Batch): void => {
    const taken = takeBatch({ text: JSON.stringify(batch), value: batch }, frame);
    if (taken.rejected.length > 0) throw tooLarge("an event without what could be left out");
    messages.push(...taken.messages);
    events += taken.accepted;
    id ??= batch.events[0]?.id.replaceAll("-", "");
  };
  for (const { type, payload } of envelope.items) {
    if (readTypes.has(type)) await turns.take(Math.max(payload.length, turnBytesMin));
    if (type === "event") add(eventBatch(readEvent(payload, envelope.eventId), project, frame));
    const report = type === "client_report" ? readReport(payload) : undefined;
    if (report) reports.push(report);
    // A page's key is public: anyone could report runs with it.
    const isRun = type === "check_in" && project.origins.length === 0;
    const isOver = isRun && runs.length >= sentryLimits.checkInsMax;
    const run = isRun && !isOver ? readRun(payload, project, frame) : undefined;
    if (run) runs.push(run);
    items.push({ type, outcome: isRun ? outcomeOfRun(run, isOver) : outcomeOf(type, report) });
  }
  // One message for all: an envelope may have a hundred reports.
  const losses = lossesBatch(reports, project, frame);
  if (losses) add(losses);
  return { id, messages, events, hasLosses: losses !== null, runs, items };
}

function outcomeOfRun(run: NewMessage | undefined, isOver: boolean): ItemOutcome {
  if (isOver) return "over_limit";
  return run ? "stored" : "invalid";
}

function outcomeOf(type: string, report: ClientReport | undefined): ItemOutcome {
  if (type === "client_report" && !report) return "invalid";
  return type === "event" || (report && hasLosses(report)) ? "stored" : "counted";
}

function readEvent(payload: Buffer, envelopeId: string | undefined): SentryEvent {
  if (payload.length > sentryLimits.itemBytesMax) throw tooLarge("an event");
  const event = sentryEventSchema.safeParse(parseJson(payload)).data;
  if (!event) throw gatewayErrors.create("WHENCE_ERR_SENTRY_ENVELOPE", ["its event isn't a JSON object"]);
  return { ...event, event_id: event.event_id ?? envelopeId };
}

/** Returns undefined for an invalid one. */
function readReport(payload: Buffer): ClientReport | undefined {
  if (payload.length > sentryLimits.itemBytesMax) return undefined;
  return clientReportSchema.safeParse(parseJson(payload)).data;
}

/** Returns undefined for an invalid one. */
function readRun(payload: Buffer, project: SentryProject, frame: BatchFrame): NewMessage | undefined {
  if (payload.length > sentryLimits.itemBytesMax) return undefined;
  const checkIn = sentryCheckInSchema.safeParse(parseJson(payload)).data;
  const run = checkIn && toReportedRun(checkIn, project, frame);
  return run ? runMessage(run, checkIn) : undefined;
}

function tooLarge(what: string): Error {
  return gatewayErrors.create("WHENCE_ERR_SENTRY_TOO_LARGE", [what, sentryLimits.itemBytesMax, "of JSON"]);
}
