import {
  type Incident,
  type IncidentPage,
  type IncidentTelemetry,
  incidentStatuses,
  type ReportVersions,
  severities,
  triggerSchema,
  WhenceError,
} from "@whence/protocol";
import { type IncidentFacets, isAgentScope, type StoredIncident } from "@whence/storage";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { analyzerErrors } from "../errors.ts";
import { incidentUrl } from "../incidents/incident-url.ts";
import { byKeyOrMember } from "./access.ts";
import type { HttpContext } from "./context.ts";
import { withCurrentImpact } from "./current-impact.ts";
import { type IncidentSource, incidentStream } from "./incident-stream.ts";
import { readIncidentTelemetry } from "./incident-telemetry.ts";
import type { RouteRateLimits } from "./rate-limits.ts";
import { requireSameOrigin } from "./same-origin.ts";
import { StreamPlaces } from "./stream-places.ts";
import { parse } from "./validation.ts";
import { type Caller, requireCaller, requireScope } from "./viewer.ts";

const pageSizeMax = 100;
const searchLengthMax = 200;
/** How long a stream outlives the key or the session that opened it. */
const credentialsCheckIntervalMs = 30_000;
/** The key or the session ended, or may not do this any longer. */
const noLonger: readonly number[] = [401, 403];

/** What a list of incidents is narrowed by. */
export const incidentsQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(pageSizeMax).default(50),
  /** The id of the last incident of the page before. */
  before: z.string().optional(),
  service: z.string().optional(),
  env: z.string().optional(),
  status: z.enum(incidentStatuses).optional(),
  severity: z.enum(severities).optional(),
  trigger: z.enum(triggerSchema.options.map(({ shape }) => shape.kind.value)).optional(),
  fingerprint: z.string().optional(),
  since: z.iso.datetime().transform(inFull).optional(),
  until: z.iso.datetime().transform(inFull).optional(),
  search: z.string().max(searchLengthMax).optional(),
});

/** Times are compared as text. */
function inFull(time: string): string {
  return new Date(time).toISOString();
}

/** Reading incidents, by key or session; another organization's incident is as unknown as one that never was. */
export function incidentRoutes(app: FastifyInstance, context: HttpContext): void {
  const stopping = new AbortController();
  const streams = new StreamPlaces();
  app.addHook("preClose", async () => stopping.abort());

  app.get("/api/incidents", byKeyOrMember("read"), async (request): Promise<IncidentPage> => {
    const scopeId = await requireScope(context, request);
    const query = parse(incidentsQuerySchema, request.query, "query");
    const found = await context.control.scope(scopeId).incidents.list(query);
    const incidents = found.map((incident) => ({ ...incident, url: incidentUrl(context.appUrl, incident.id) }));
    const last = found.length === query.limit ? found.at(-1) : undefined;
    return { incidents, next: last?.id ?? null };
  });

  app.get("/api/incidents/facets", byKeyOrMember("read"), async (request): Promise<IncidentFacets> => {
    return context.control.scope(await requireScope(context, request)).incidents.facets();
  });

  app.get<{ Params: { id: string } }>(
    "/api/incidents/:id",
    byKeyOrMember("analyze", "read"),
    async (request): Promise<Incident> => {
      const caller = await requireCaller(context, request);
      const incident = await readIncident(context, caller, request.params.id);
      return withCurrentImpact(context.events.forScope(caller.scopeId), incident);
    },
  );

  app.get<{ Params: { id: string } }>(
    "/api/incidents/:id/reports",
    byKeyOrMember("analyze", "read"),
    async (request): Promise<ReportVersions> => {
      const caller = await requireCaller(context, request);
      const { id } = await readIncident(context, caller, request.params.id);
      return { reports: [...(await context.control.scope(caller.scopeId).incidents.reports(id))] };
    },
  );

  app.get<{ Params: { id: string } }>(
    "/api/incidents/:id/events",
    byKeyOrMember("analyze", "read"),
    async (request, reply) => {
      const caller = await requireCaller(context, request);
      // Before anything is read: what is refused costs little.
      const place = streams.open(caller, reply);
      const incident = await readIncident(context, caller, request.params.id);
      const followed = followedIncident(context, request, { id: incident.id, scopeId: caller.scopeId });
      const resumeAfter = lastStepSeen(request.headers["last-event-id"]);
      const source = { ...followed, resumeAfter, place, openStreams: context.metrics.streamsOpen };
      return incidentStream(reply, source, stopping.signal);
    },
  );
}

/** What the databases hold as a number of a step. */
const stepSeqMax = 2_147_483_647;

/** The first step again for what is no number of a step. */
function lastStepSeen(header: string | string[] | undefined): number {
  const seq = Number(header);
  return Number.isSafeInteger(seq) && seq > 0 ? Math.min(seq, stepSeqMax) : 0;
}

/** What can be asked about an incident beside its report, and asking for another one. */
export function incidentFollowUpRoutes(app: FastifyInstance, context: HttpContext, rateLimits: RouteRateLimits): void {
  app.get<{ Params: { id: string } }>(
    "/api/incidents/:id/telemetry",
    byKeyOrMember("read"),
    async (request): Promise<IncidentTelemetry> => {
      const caller = await requireCaller(context, request);
      const incident = await readIncident(context, caller, request.params.id);
      return readIncidentTelemetry(context.events.forScope(caller.scopeId), incident, context.clock());
    },
  );

  app.post<{ Params: { id: string } }>(
    "/api/incidents/:id/rerun",
    byKeyOrMember("analyze"),
    async (request, reply): Promise<Incident> => {
      requireSameOrigin(request, context);
      const caller = await requireCaller(context, request);
      request.caller = caller;
      await rateLimits.analyze(request, reply);
      if (isAgentScope(caller.scopeId)) await rateLimits.unclaimedAnalyze(request, reply);
      const { id } = await readIncident(context, caller, request.params.id);
      const outcome = await context.control.scope(caller.scopeId).incidents.requeue(id);
      if (outcome === "under-way") throw analyzerErrors.create("WHENCE_ERR_INCIDENT_UNDER_WAY", [id]);
      if (outcome === "input-removed") throw analyzerErrors.create("WHENCE_ERR_INPUT_REMOVED", [id]);
      context.relayOutbox();
      return readIncident(context, caller, id);
    },
  );
}

/**
 * An incident as the request may see it, while it may: its key or session is looked at again from time to time, and
 * when the incident is where it was no longer, since a claim takes an agent's incidents along.
 */
function followedIncident(
  context: HttpContext,
  request: FastifyRequest,
  { id, scopeId: firstScopeId }: { id: string; scopeId: string },
): Pick<IncidentSource, "read" | "steps"> {
  let scopeId = firstScopeId;
  let checkedAt = context.clock();
  const find = () => context.control.scope(scopeId).incidents.find(id);

  async function isStillAllowed(): Promise<boolean> {
    try {
      scopeId = (await requireCaller(context, request)).scopeId;
      checkedAt = context.clock();
      return true;
    } catch (error) {
      if (error instanceof WhenceError && noLonger.includes(error.status)) return false;
      throw error;
    }
  }

  return {
    async read() {
      const isDue = context.clock() - checkedAt >= credentialsCheckIntervalMs;
      if (isDue && !(await isStillAllowed())) return null;
      const found = (await find()) ?? ((await isStillAllowed()) ? await find() : null);
      return found ? present(context, found) : null;
    },
    steps: (afterSeq) => context.control.scope(scopeId).incidents.steps(id, afterSeq),
  };
}

/** The incident as the interface shows it, or 404. */
export async function readIncident(context: HttpContext, caller: Caller, id: string): Promise<Incident> {
  await requireVisible(context, caller, id);
  const stored = await context.control.scope(caller.scopeId).incidents.find(id);
  if (!stored) throw unknownIncident(id);
  return present(context, stored);
}

/** 404 for what a key may not see that sees its own analyses alone. */
export async function requireVisible(
  { control }: HttpContext,
  { scopeId, onlyAskedBy }: Caller,
  id: string,
): Promise<void> {
  if (onlyAskedBy === null) return;
  if (!(await control.scope(scopeId).incidents.wasAskedFor(id, onlyAskedBy))) throw unknownIncident(id);
}

function unknownIncident(id: string): WhenceError {
  return analyzerErrors.create("WHENCE_ERR_INCIDENT_UNKNOWN", [id.slice(0, 60)]);
}

function present(context: HttpContext, stored: StoredIncident): Incident {
  return { ...stored, url: incidentUrl(context.appUrl, stored.id) };
}
