import { type IncidentStep, WhenceError } from "@whence/protocol";
import type { ControlDb, EventStore, IncidentInput, Scope, StoredIncident } from "@whence/storage";
import { z } from "zod";
import { telemetryCollectors } from "../collectors/index.ts";
import { analyzerErrors } from "../errors.ts";
import { type InvestigationSubject, investigate } from "../investigation/investigate.ts";
import type { Attempt } from "./consume.ts";
import type { Logger } from "./logger.ts";

/** An incident to investigate, and whose it is. */
export interface InvestigationMessage {
  readonly incident_id: string;
  readonly scope_id: string;
}

export const investigationMessageSchema: z.ZodType<InvestigationMessage> = z.object({
  incident_id: z.string(),
  scope_id: z.string(),
});

/** An investigation that takes longer than this is given up and tried again. */
const investigationTimeoutMs = 60_000;

export interface InvestigationContext {
  readonly control: ControlDb;
  readonly events: EventStore;
  readonly clock: () => number;
  readonly logger: Logger;
}

/**
 * Investigates the incident that a message names and stores the report. A process that dies in the middle leaves the
 * incident `investigating`; the message comes again and the investigation starts over. The last failed attempt ends the
 * incident as `failed`, with the reason.
 */
export function investigationHandler(
  context: InvestigationContext,
): (message: InvestigationMessage, attempt: Attempt) => Promise<void> {
  return async (message, attempt) => {
    const scope = context.control.scope(message.scope_id);
    const { incidents } = scope;
    if (!(await incidents.begin(message.incident_id, new Date(context.clock())))) return;
    try {
      await conclude(context, scope, message, attempt.signal);
    } catch (error) {
      if (!attempt.isLast || attempt.signal.aborted) throw error;
      context.logger.error({ err: error, incident: message.incident_id }, "an investigation failed for good");
      await incidents.fail(message.incident_id, failureOf(error, attempt.number), new Date(context.clock()));
    }
  };
}

async function conclude(
  context: InvestigationContext,
  scope: Scope,
  message: InvestigationMessage,
  stopping: AbortSignal,
): Promise<void> {
  const { incidents } = scope;
  const incident = await incidents.find(message.incident_id);
  const input = await incidents.input(message.incident_id);
  if (!incident || !input) return;
  const events = context.events.forScope(message.scope_id);
  const subject = await subjectOf(incident, input, (id) => events.event(id));

  let seq = 0;
  const onStep = async (step: IncidentStep["step"], detail: string): Promise<void> => {
    seq += 1;
    const at = new Date(context.clock()).toISOString();
    await incidents.addStep(incident.id, { seq, at, step, detail });
  };
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(investigationTimeoutMs)]);
  const ports = { collectors: telemetryCollectors(events), clock: context.clock, onStep };
  const report = await investigate(subject, ports, signal);
  await incidents.complete(incident.id, report, new Date(context.clock()));
}

async function subjectOf(
  { id, service, env, fingerprint }: StoredIncident,
  input: IncidentInput,
  readEvent: (id: string) => ReturnType<ReturnType<EventStore["forScope"]>["event"]>,
): Promise<InvestigationSubject> {
  const incident = { id, service, env, fingerprint };
  if (input.kind === "text") return { incident, input };
  const stored = await readEvent(input.eventId);
  if (!stored) throw analyzerErrors.create("WHENCE_ERR_EVENT_MISSING", [input.eventId]);
  const { event, release, host, instance, receivedAt } = stored;
  return {
    incident,
    input: { kind: "event", event, service: stored.service, env: stored.env, release, host, instance, receivedAt },
  };
}

function failureOf(error: unknown, attempts: number): { code: string; message: string } {
  if (error instanceof WhenceError) return { code: error.code, message: error.message };
  const cause = error instanceof Error ? error.message : String(error);
  const failed = analyzerErrors.create("WHENCE_ERR_INVESTIGATION_FAILED", [attempts, cause]);
  return { code: failed.code, message: failed.message };
}
