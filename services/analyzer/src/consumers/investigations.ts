import { type InvestigationSubject, investigate } from "@whence/engine";
import { type IncidentStep, WhenceError } from "@whence/protocol";
import type { ControlDb, EventStore, IncidentInput, StoredIncident } from "@whence/storage";
import { z } from "zod";
import { telemetryCollectors } from "../collectors/index.ts";
import { analyzerErrors } from "../errors.ts";
import { readHistory } from "../learning/organization-history.ts";
import type { Logger } from "../logger.ts";
import type { AnalyzerMetrics, InvestigationOutcome } from "../metrics.ts";
import { type Checkouts, withCode } from "../sources/service-sources.ts";
import type { Attempt } from "./consume.ts";
import type { Investigators } from "./investigators.ts";

/** An incident to investigate, and whose it is. */
export interface InvestigationMessage {
  readonly incident_id: string;
  readonly scope_id: string;
}

export const investigationMessageSchema: z.ZodType<InvestigationMessage> = z.object({
  incident_id: z.string(),
  scope_id: z.string(),
});

/**
 * An investigation that fails this often is given up. A process that dies in the middle uses up attempts as well, so
 * the topic allows more: only a message that takes every process down with it comes to their end.
 */
export const failedAttemptsMax = 5;
/** An investigation that takes longer than this is given up and tried again. */
const investigationTimeoutMs = 60_000;
const msPerSecond = 1_000;

export interface InvestigationContext {
  readonly control: ControlDb;
  readonly events: EventStore;
  readonly clock: () => number;
  readonly logger: Logger;
  readonly metrics: AnalyzerMetrics;
  /** Where investigations run; in this thread unless told. */
  readonly investigators?: Pick<Investigators, "investigate">;
  /** Where the code of services is; none unless told. */
  readonly checkouts?: Checkouts;
}

/**
 * Investigates the incident that a message names and stores the report. A process that dies in the middle leaves the
 * incident `investigating`; the message comes again and the investigation starts over. An attempt that
 * fails from the fifth on ends the incident as `failed`, with the reason. What a stalled attempt still writes after another took over changes nothing.
 */
export function investigationHandler(
  context: InvestigationContext,
): (message: InvestigationMessage, attempt: Attempt) => Promise<undefined> {
  const { metrics } = context;
  return async (message, attempt) => {
    const { incidents } = context.control.scope(message.scope_id);
    const number = await incidents.begin(message.incident_id, new Date(context.clock()));
    if (number === null) return;
    metrics.investigationsActive.inc();
    try {
      const outcome = await runAttempt(context, { ...message, number }, attempt);
      metrics.investigations.inc({ outcome });
    } catch (error) {
      metrics.investigations.inc({ outcome: "retried" });
      throw error;
    } finally {
      metrics.investigationsActive.dec();
    }
  };
}

/** An incident taken for an attempt, whose number fences it off from the others. */
interface TakenIncident extends InvestigationMessage {
  readonly number: number;
}

/** How the attempt ended; rejects when it is to be tried again. */
async function runAttempt(
  context: InvestigationContext,
  taken: TakenIncident,
  attempt: Attempt,
): Promise<InvestigationOutcome> {
  const startedAt = context.clock();
  try {
    const isKept = await conclude(context, taken, attempt.signal);
    if (!isKept) return "overtaken";
    context.metrics.investigationSeconds.observe((context.clock() - startedAt) / msPerSecond);
    return "completed";
  } catch (error) {
    if (attempt.number < failedAttemptsMax || attempt.signal.aborted) throw error;
    const { incident_id: id, scope_id: scopeId, number } = taken;
    context.logger.error({ err: error, incident: id }, "an investigation failed for good");
    const failure = failureOf(error, attempt.number);
    const { incidents } = context.control.scope(scopeId);
    const isKept = await incidents.fail(id, number, failure, new Date(context.clock()));
    return isKept ? "failed" : "overtaken";
  }
}

/** Investigates, and stores the report; false when another attempt has the incident by now. */
async function conclude(
  context: InvestigationContext,
  { incident_id: incidentId, scope_id: scopeId, number }: TakenIncident,
  stopping: AbortSignal,
): Promise<boolean> {
  const { incidents, feedback } = context.control.scope(scopeId);
  const incident = await incidents.find(incidentId);
  const input = await incidents.input(incidentId);
  if (!incident || !input) return false;
  const events = context.events.forScope(scopeId);
  const history = await readHistory(context.control.scope(scopeId).feedback);
  const known = { ...(await subjectOf(incident, input, (id) => events.event(id))), history };
  const subject = await withCode(known, scopeId, context);

  let seq = 0;
  const onStep = async (step: IncidentStep["step"], detail: string): Promise<void> => {
    seq += 1;
    const at = new Date(context.clock()).toISOString();
    await incidents.addStep(incidentId, number, { seq, at, step, detail });
  };
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(investigationTimeoutMs)]);
  const { clock } = context;
  const collectors = telemetryCollectors(events, { incidents, feedback, title: incident.title }, clock);
  const ports = { collectors, clock, onStep };
  const report = await (context.investigators ?? { investigate }).investigate(subject, ports, signal);
  return incidents.complete(incidentId, number, report, new Date(context.clock()));
}

async function subjectOf(
  { id, service, env, fingerprint }: StoredIncident,
  input: IncidentInput,
  readEvent: (id: string) => ReturnType<ReturnType<EventStore["forScope"]>["event"]>,
): Promise<InvestigationSubject> {
  const incident = { id, service, env, fingerprint };
  if (input.kind !== "event") return { incident, input };
  const stored = await readEvent(input.eventId);
  if (!stored) throw analyzerErrors.create("WHENCE_ERR_EVENT_MISSING", [input.eventId]);
  const { event, release, host, instance, receivedAt } = stored;
  return {
    // An incident may be named after what this failure follows from.
    incident: { ...incident, service: stored.service, fingerprint: stored.fingerprint },
    input: {
      ...{ kind: "event", event, service: stored.service, env: stored.env, release, host, instance, receivedAt },
      ...{ files: [], notRead: [] },
    },
  };
}

function failureOf(error: unknown, attempts: number): { code: string; message: string } {
  if (error instanceof WhenceError) return { code: error.code, message: error.message };
  const cause = error instanceof Error ? error.message : String(error);
  const failed = analyzerErrors.create("WHENCE_ERR_INVESTIGATION_FAILED", [attempts, cause]);
  return { code: failed.code, message: failed.message };
}
