import {
  type Incident,
  type IncidentPage,
  incidentPageSchema,
  incidentSchema,
  incidentSorts,
  incidentStatuses,
  lifecycleAt,
  lifecycleStates,
  type ReportVersions,
  reportVersionsSchema,
  severities,
  triggerKinds,
  WhenceError,
} from "@whence/protocol";
import type { IncidentFacets, IncidentScope, KeyStore, Scoped } from "@whence/storage";
import type { FastifyInstance, FastifyRequest, FastifySchema } from "fastify";
import { z } from "zod";
import { incidentUrl } from "../../incidents/incident-url.ts";
import { byKeyOrMember } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { StreamPlaces } from "../limits/stream-places.ts";
import { parse } from "../validation.ts";
import { requireCaller, requireScope } from "../viewer.ts";
import { withCurrentImpact } from "./current-impact.ts";
import { incidentCursor, readCursor } from "./incident-cursor.ts";
import { incidentSearchSchema, ownedBy, termsFor } from "./incident-search.ts";
import { type IncidentSource, incidentStream } from "./incident-stream.ts";
import { presentIncident, readIncident } from "./visible-incident.ts";

const pageSizeMax = 100;
const cursorLengthMax = 120;
/** Characters of an email address. */
const ownerLengthMax = 320;
/** How long a stream outlives the key or the session that opened it. */
const credentialsCheckIntervalMs = 30_000;
/** Statuses when the key or the session ended, or lost the permission. */
const noLonger: readonly number[] = [401, 403];

/** The filter of a list of incidents. */
const incidentsQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(pageSizeMax).default(50),
  sort: z.enum(incidentSorts).default("newest"),
  /** The `next` of the previous page, in the same order. */
  before: z.string().max(cursorLengthMax).optional(),
  service: z.string().optional(),
  env: z.string().optional(),
  status: z.enum(incidentStatuses).optional(),
  state: z.enum(lifecycleStates).optional(),
  /** A member's id or email address, `me`, or `none`. */
  owner: z.string().max(ownerLengthMax).optional(),
  severity: z.enum(severities).optional(),
  trigger: z.enum(triggerKinds).optional(),
  fingerprint: z.string().optional(),
  since: z.iso.datetime().transform(inFull).optional(),
  until: z.iso.datetime().transform(inFull).optional(),
  search: incidentSearchSchema.optional(),
});

/** Returns a time in full, since times are compared as text. */
function inFull(time: string): string {
  return new Date(time).toISOString();
}

const operations = {
  list: {
    operationId: "list_incidents",
    tags: ["incidents"],
    summary: "List incidents without their reports, newest first or in another order",
    querystring: incidentsQuerySchema,
    response: { 200: incidentPageSchema },
  },
  facets: {
    operationId: "list_incident_facets",
    tags: ["incidents"],
    summary: "List the services and environments that incidents can be filtered by",
    response: { 200: z.object({ services: z.array(z.string()), envs: z.array(z.string()) }) },
  },
  read: {
    operationId: "get_incident",
    tags: ["incidents"],
    summary: "Get an incident with its report",
    response: { 200: incidentSchema },
    errors: ["WHENCE_ERR_INCIDENT_UNKNOWN"],
  },
  reports: {
    operationId: "list_incident_reports",
    tags: ["incidents"],
    summary: "List the versions of an incident's report, newest first",
    response: { 200: reportVersionsSchema },
    errors: ["WHENCE_ERR_INCIDENT_UNKNOWN"],
  },
  stream: {
    operationId: "stream_incident",
    tags: ["incidents"],
    summary: "Stream the steps of the investigation as server-sent events, then the incident with each report version",
    response: { 200: { content: { "text/event-stream": { schema: { type: "string" } } } } },
    errors: ["WHENCE_ERR_INCIDENT_UNKNOWN", "WHENCE_ERR_STREAMS_OPEN"],
  },
} as const satisfies Record<string, FastifySchema>;

type Context = HttpContext<KeyStore & Scoped<IncidentScope>>;

/**
 * Routes for reading incidents, by key or session. Another organization's incident is 404, like one that doesn't exist.
 */
export function incidentRoutes(app: FastifyInstance, context: Context): void {
  const stopping = new AbortController();
  const streams = new StreamPlaces();
  app.addHook("preClose", async () => stopping.abort());

  app.get(
    "/api/incidents",
    { ...byKeyOrMember("read"), schema: operations.list },
    async (request): Promise<IncidentPage> => {
      const { scopeId, actor: by } = await requireCaller(context, request);
      const { search = [], owner, before: cursor, ...query } = parse(incidentsQuerySchema, request.query, "query");
      const now = new Date(context.clock());
      const at = now.toISOString();
      const state = query.state && { is: query.state, at };
      const terms = [...termsFor(search, { at, by }), ...ownedBy(owner, by)];
      const before = cursor === undefined ? undefined : readCursor(cursor, query.sort);
      const found = await context.control.scope(scopeId).incidents.list({ ...query, before, state, terms });
      const incidents = found.map((incident) => ({
        ...incident,
        lifecycle: lifecycleAt(incident.lifecycle, now),
        url: incidentUrl(context.appUrl, incident.id),
      }));
      const last = found.length === query.limit ? found.at(-1) : undefined;
      return { incidents, next: last ? incidentCursor(last, query.sort) : null };
    },
  );

  app.get(
    "/api/incidents/facets",
    { ...byKeyOrMember("read"), schema: operations.facets },
    async (request): Promise<IncidentFacets> => {
      return context.control.scope(await requireScope(context, request)).incidents.facets();
    },
  );

  app.get<{ Params: { id: string } }>(
    "/api/incidents/:id",
    { ...byKeyOrMember("analyze", "read"), schema: operations.read },
    async (request): Promise<Incident> => {
      const caller = await requireCaller(context, request);
      const incident = await readIncident(context, caller, request.params.id);
      return withCurrentImpact(context.events.forScope(caller.scopeId), incident);
    },
  );

  app.get<{ Params: { id: string } }>(
    "/api/incidents/:id/reports",
    { ...byKeyOrMember("analyze", "read"), schema: operations.reports },
    async (request): Promise<ReportVersions> => {
      const caller = await requireCaller(context, request);
      const { id } = await readIncident(context, caller, request.params.id);
      return { reports: [...(await context.control.scope(caller.scopeId).incidents.reports(id))] };
    },
  );

  app.get<{ Params: { id: string } }>(
    "/api/incidents/:id/events",
    { ...byKeyOrMember("analyze", "read"), schema: operations.stream },
    async (request, reply) => {
      const caller = await requireCaller(context, request);
      // Before anything is read, so that a rejected request costs little.
      const place = streams.open(caller, reply);
      const incident = await readIncident(context, caller, request.params.id);
      const followed = followedIncident(context, request, { id: incident.id, scopeId: caller.scopeId });
      const resumeAfter = lastStepSeen(request.headers["last-event-id"]);
      const source = { ...followed, resumeAfter, place, openStreams: context.metrics.streamsOpen };
      return incidentStream(reply, source, stopping.signal);
    },
  );
}

/** The largest number of a step in the databases. */
const stepSeqMax = 2_147_483_647;

/** Returns the last seen step; the beginning for an invalid number. */
function lastStepSeen(header: string | string[] | undefined): number {
  const seq = Number(header);
  return Number.isSafeInteger(seq) && seq > 0 ? Math.min(seq, stepSeqMax) : 0;
}

/**
 * Returns an incident as the request may see it, while it may. Its key or session is checked again periodically, and
 * when the incident has moved, since a claim takes an agent's incidents along.
 */
function followedIncident(
  context: Context,
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
      return found ? presentIncident(context, found) : null;
    },
    steps: (afterSeq) => context.control.scope(scopeId).incidents.steps(id, afterSeq),
  };
}
