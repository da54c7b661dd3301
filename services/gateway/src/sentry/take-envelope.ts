import { parseJson, type SentryProject } from "@whence/protocol";
import type { NewMessage } from "@whence/storage";
import { gatewayErrors } from "../errors.ts";
import { spanMessages } from "../otlp/beside-messages.ts";
import type { SpanAllowance } from "../otlp/span-allowance.ts";
import { type Turns, turnBytesMax } from "../plugins/turns.ts";
import type { BatchFrame } from "../telemetry/batch-frame.ts";
import { takeMade } from "../telemetry/take-batch.ts";
import type { MadeBatch } from "../telemetry/validate.ts";
import { sentryCheckInSchema } from "./check-in-schema.ts";
import { type Envelope, type EnvelopeItem, isReadType, sendsFromPages } from "./envelope.ts";
import type { ItemOutcome } from "./item-outcome.ts";
import {
  type ClientReport,
  readClientReport,
  readSentryEvent,
  readSentryTransaction,
  type SentryEvent,
} from "./read-event.ts";
import type { ReleaseAllowance } from "./release-allowance.ts";
import { sentryLimits } from "./sentry-limits.ts";
import type { Steps } from "./step-span.ts";
import { streamedSteps } from "./streamed-spans.ts";
import { TakenSessions } from "./taken-sessions.ts";
import { eventBatch, eventHeader, hasLosses, lossesBatch } from "./to-batch.ts";
import { runMessage, toReportedRun } from "./to-reported-run.ts";
import { transactionSteps } from "./transaction-spans.ts";

/** An envelope as messages of the telemetry queue. */
export interface TakenEnvelope {
  /** As the client knows it; undefined when the envelope is about no event. */
  readonly id: string | undefined;
  readonly messages: readonly NewMessage[];
  readonly events: number;
  /** Spans that count for the allowance. */
  readonly spans: number;
  /** Items of sessions that are in the messages. */
  readonly sessionItems: number;
  /** Whether one of the messages says what the client dropped. */
  readonly hasLosses: boolean;
  /** Runs of jobs, as messages of their own queue. */
  readonly runs: readonly NewMessage[];
  readonly items: readonly { readonly type: string; readonly outcome: ItemOutcome }[];
}

/** Types with a series of their own in metrics. The list is closed, so that no client can create new series. */
const countedTypes: ReadonlySet<string> = new Set([
  "event",
  "client_report",
  "session",
  "sessions",
  "transaction",
  "span",
  "attachment",
  "check_in",
  "feedback",
  "user_report",
  "profile",
  "profile_chunk",
  "replay_event",
  "replay_recording",
  "log",
  "trace_metric",
]);

/** Returns the name under which an item of this type is counted. */
export function countedType(type: string): string {
  return countedTypes.has(type) ? type : "other";
}

/** Of an item that is read. Parsing one costs by its values, and the smallest take 2 or 3 bytes. */
const turnBytesMin = turnBytesMax / 8;

interface TakingFor {
  readonly project: SentryProject;
  readonly frame: BatchFrame;
  readonly turns: Turns;
  readonly allowance: Pick<SpanAllowance, "takes" | "giveBack">;
  /** Whose sessions count. */
  readonly releases: Pick<ReleaseAllowance, "takes">;
}

/**
 * Turns an envelope into messages: its events, steps of traces that are kept, sessions, what its client says it
 * dropped, and runs of jobs. Other items are only counted. Each item that is read waits for its turn. Rejects with
 * `WHENCE_ERR_SENTRY_ENVELOPE` or `WHENCE_ERR_SENTRY_TOO_LARGE` when an event can't be taken, and then takes nothing.
 */
export async function takeEnvelope(envelope: Envelope | null, takingFor: TakingFor): Promise<TakenEnvelope> {
  if (!envelope) throw gatewayErrors.create("WHENCE_ERR_SENTRY_ENVELOPE", ["it is empty"]);
  const { frame, allowance } = takingFor;
  let spans = 0;
  const takes = (scopeId: string, isSample: boolean): boolean => {
    const isTaken = allowance.takes(scopeId, isSample);
    if (isTaken) spans += 1;
    return isTaken;
  };
  try {
    return { ...(await takeItems(envelope, { ...takingFor, allowance: { takes } })), spans };
  } catch (error) {
    allowance.giveBack(frame.scopeId, spans);
    throw error;
  }
}

/** What taking the items of an envelope needs. */
interface TakingItems extends Omit<TakingFor, "allowance"> {
  readonly allowance: Pick<SpanAllowance, "takes">;
}

async function takeItems(
  envelope: Envelope,
  { project, frame, turns, allowance, releases }: TakingItems,
): Promise<Omit<TakenEnvelope, "spans">> {
  const isPage = sendsFromPages(project);
  const messages: NewMessage[] = [];
  const runs: NewMessage[] = [];
  const reports: ClientReport[] = [];
  const items: { readonly type: string; readonly outcome: ItemOutcome }[] = [];
  const sessions = new TakenSessions(envelope.sentAt, { project, frame, releases });
  let { eventId: id } = envelope;
  let events = 0;
  const add = (batch: MadeBatch): void => {
    const taken = takeMade(batch, frame);
    if (taken.rejected.length > 0) throw tooLarge("an event without what could be left out");
    messages.push(...taken.messages);
    events += taken.accepted;
    id ??= batch.events[0]?.event.id.replaceAll("-", "");
  };
  for (const item of envelope.items) {
    const { type, payload } = item;
    const skipped = outcomeOfUnread(item, isPage);
    if (skipped) {
      items.push({ type, outcome: skipped });
      continue;
    }
    await turns.take(Math.max(payload.length, turnBytesMin));
    if (type === "session" || type === "sessions") {
      items.push({ type, outcome: sessions.take(type, payload) });
      continue;
    }
    if (type === "event") add(eventBatch(readEvent(payload, envelope.eventId), project, frame));
    const report = type === "client_report" ? readReport(payload) : undefined;
    if (report) reports.push(report);
    const isOfTraces = type === "transaction" || type === "span";
    const steps = isOfTraces
      ? takeSteps(await readSteps(type, payload, turns), { project, frame, allowance })
      : undefined;
    if (steps) messages.push(...steps.messages);
    const isRun = type === "check_in";
    const isOver = isRun && runs.length >= sentryLimits.checkInsMax;
    const run = isRun && !isOver ? readRun(payload, project, frame) : undefined;
    if (run) runs.push(run);
    items.push({ type, outcome: isRun ? outcomeOfRun(run, isOver) : (steps?.outcome ?? outcomeOf(type, report)) });
  }
  messages.push(...sessions.messages());
  // One message for all: an envelope may have a hundred reports.
  const losses = lossesBatch(reports, project, frame);
  if (losses) add(losses);
  return { id, messages, events, sessionItems: sessions.items, hasLosses: losses !== null, runs, items };
}

/** Returns null for an item that is read. */
function outcomeOfUnread({ type, isTooLarge }: EnvelopeItem, isPage: boolean): ItemOutcome | null {
  if (!isReadType(type, isPage)) return "counted";
  if (isTooLarge && type === "event") throw tooLarge("an event");
  return isTooLarge ? "over_limit" : null;
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
  const event = readSentryEvent(parseJson(payload.toString("utf8")));
  if (!event) throw gatewayErrors.create("WHENCE_ERR_SENTRY_ENVELOPE", ["its event isn't a JSON object"]);
  return { ...event, event_id: event.event_id ?? envelopeId };
}

async function readSteps(type: "transaction" | "span", payload: Buffer, turns: Turns): Promise<Steps | null> {
  if (type === "span") return streamedSteps(payload, turns);
  const transaction = readSentryTransaction(parseJson(payload.toString("utf8")));
  return transaction ? transactionSteps(transaction) : null;
}

/** Takes those steps that are kept, within the allowance. */
function takeSteps(steps: Steps | null, { project, frame, allowance }: Omit<TakingItems, "turns" | "releases">) {
  if (!steps?.isValid) return { messages: [], outcome: steps?.hasTooLarge ? "over_limit" : "invalid" } as const;
  const kept = steps.kept.filter(({ weight }) => allowance.takes(frame.scopeId, weight > 1));
  const messages = spanMessages(frame, eventHeader(steps.from, project, frame), kept);
  return { messages, outcome: kept.length > 0 ? ("stored" as const) : ("counted" as const) };
}

/** Returns undefined for an invalid one. */
function readReport(payload: Buffer): ClientReport | undefined {
  return readClientReport(parseJson(payload.toString("utf8")));
}

/** Returns undefined for an invalid one. */
function readRun(payload: Buffer, project: SentryProject, frame: BatchFrame): NewMessage | undefined {
  const checkIn = sentryCheckInSchema.safeParse(parseJson(payload.toString("utf8"))).data;
  const run = checkIn && toReportedRun(checkIn, project, frame);
  return run ? runMessage(run) : undefined;
}

function tooLarge(what: string): Error {
  return gatewayErrors.create("WHENCE_ERR_SENTRY_TOO_LARGE", [what, sentryLimits.itemBytesMax, "of JSON"]);
}
