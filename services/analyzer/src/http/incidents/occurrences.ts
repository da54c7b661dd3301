import {
  type Incident,
  type IncidentInputText,
  incidentInputSchema,
  limits,
  minuteMs,
  type Occurrence,
  type OccurrenceDetail,
  type OccurrencePage,
  occurrenceDetailSchema,
  occurrencePageSchema,
  timestampSchema,
  WhenceError,
} from "@whence/protocol";
import type { EventFilter, IncidentScope, KeyStore, Scoped, ScopedEvents, StoredEvent } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { z } from "zod";
import { analyzerErrors } from "../../errors.ts";
import { byKeyOrMember } from "../access.ts";
import type { HttpContext } from "../context.ts";
import type { RouteRateLimits } from "../limits/rate-limits.ts";
import { parse } from "../validation.ts";
import { requireCaller } from "../viewer.ts";
import { readIncident } from "./visible-incident.ts";

const pageSizeMax = 100;
const cursorLengthMax = 120;
const idLengthMax = 60;
const statusUnavailable = 503;

const occurrencesQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(pageSizeMax).default(50),
  /** The last event of the previous page, as its `next`: time and ID. */
  before: z
    .string()
    .max(cursorLengthMax)
    .refine((text) => eventOf(text) !== null, "must be the `next` of a page")
    .optional(),
});

const operations = {
  list: {
    operationId: "list_incident_occurrences",
    tags: ["incidents"],
    summary: "List the events of an incident's failure, newest first",
    querystring: occurrencesQuerySchema,
    response: { 200: occurrencePageSchema },
    errors: ["WHENCE_ERR_INCIDENT_UNKNOWN"],
  },
  read: {
    operationId: "get_incident_occurrence",
    tags: ["incidents"],
    summary: "Get one event of an incident's failure as it is stored, with its stack traces, request, and breadcrumbs",
    response: { 200: occurrenceDetailSchema },
    errors: ["WHENCE_ERR_INCIDENT_UNKNOWN", "WHENCE_ERR_OCCURRENCE_UNKNOWN"],
  },
  input: {
    operationId: "get_incident_input",
    tags: ["incidents"],
    summary: "Get the text that an analysis, an alert, or a conversation started from, and how it is read",
    response: { 200: incidentInputSchema },
    errors: ["WHENCE_ERR_INCIDENT_UNKNOWN", "WHENCE_ERR_RATE_LIMITED"],
  },
} as const satisfies Record<string, FastifySchema>;

type Context = HttpContext<KeyStore & Scoped<IncidentScope>>;

/** Routes for what an incident is about: each event of its failure, or the text that it came as. */
export function occurrenceRoutes(app: FastifyInstance, context: Context, rateLimits: RouteRateLimits): void {
  app.get<{ Params: { id: string } }>(
    "/api/incidents/:id/occurrences",
    { ...byKeyOrMember("read"), schema: operations.list },
    async (request): Promise<OccurrencePage> => {
      const caller = await requireCaller(context, request);
      const query = parse(occurrencesQuerySchema, request.query, "query");
      const incident = await readIncident(context, caller, request.params.id);
      return readPage(context.events.forScope(caller.scopeId), incident, query, context.clock());
    },
  );

  app.get<{ Params: { id: string; event: string } }>(
    "/api/incidents/:id/occurrences/:event",
    { ...byKeyOrMember("read"), schema: operations.read },
    async (request): Promise<OccurrenceDetail> => {
      const caller = await requireCaller(context, request);
      const { id, event: eventId } = request.params;
      const incident = await readIncident(context, caller, id);
      const events = context.events.forScope(caller.scopeId);
      const stored = await events.event(eventId);
      if (!stored || !belongsTo(stored, incident)) {
        throw analyzerErrors.create("WHENCE_ERR_OCCURRENCE_UNKNOWN", [incident.id, eventId.slice(0, idLengthMax)]);
      }
      const { event, host, sdk, receivedAt } = stored;
      const next = await readNeighbors(events, incident, event, context.clock());
      return { occurrence: present(stored), event, host, sdk, received_at: receivedAt, ...next };
    },
  );

  app.get<{ Params: { id: string } }>(
    "/api/incidents/:id/input",
    { ...byKeyOrMember("analyze", "read"), schema: operations.input },
    async (request, reply): Promise<IncidentInputText> => {
      const caller = await requireCaller(context, request);
      request.caller = caller;
      await rateLimits.preview(request, reply);
      const { id } = await readIncident(context, caller, request.params.id);
      const input = await context.control.scope(caller.scopeId).incidents.input(id);
      if (input?.kind !== "text") return { text: null, read: null };
      const { errorLog: text, files } = input;
      if (Buffer.byteLength(text) > limits.errorLogBytesMax || text === "") return { text, read: null };
      const asked = { error_log: text, files: files.map(({ name }) => name) };
      // The text is shown even when it takes too long to read.
      return { text, read: await context.preview(asked, caller.scopeId).catch(unlessUnavailable) };
    },
  );
}

type Failure = Pick<Incident, "fingerprint" | "env">;

async function readPage(
  events: ScopedEvents,
  failure: Failure,
  { limit, before }: z.infer<typeof occurrencesQuerySchema>,
  now: number,
): Promise<OccurrencePage> {
  const every = everyEvent(failure, now);
  if (every === null) return { occurrences: [], next: null };
  const after = before === undefined ? null : eventOf(before);
  const found = await events.find({ ...every, limit: limit + 1, ...(after && { after }) });
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1)?.event : undefined;
  return { occurrences: page.map(present), next: last ? `${last.timestamp},${last.id}` : null };
}

/** Returns the IDs of the events of a failure before and after one of them. */
async function readNeighbors(
  events: ScopedEvents,
  failure: Failure,
  { timestamp, id }: StoredEvent["event"],
  now: number,
): Promise<Pick<OccurrenceDetail, "newer" | "older">> {
  const every = everyEvent(failure, now);
  if (every === null) return { newer: null, older: null };
  const next = { ...every, limit: 1, after: { timestamp, id } };
  const [[older], [newer]] = await Promise.all([events.find(next), events.find({ ...next, oldestFirst: true })]);
  return { newer: newer?.event.id ?? null, older: older?.event.id ?? null };
}

/** What every event of a failure has in common; null for an incident without one. */
function everyEvent({ fingerprint, env }: Failure, now: number): Omit<EventFilter, "limit"> | null {
  if (fingerprint === null) return null;
  const span = { from: new Date(0).toISOString(), to: new Date(now + clockAheadMs).toISOString() };
  return { ...span, fingerprint, ...(env !== null && { env }) };
}

/** How far ahead of the service's own clock an event may be dated. */
const clockAheadMs = minuteMs;

/** Returns the event that a cursor names; null for what isn't one. */
function eventOf(cursor: string): { readonly timestamp: string; readonly id: string } | null {
  const [timestamp = "", id = "", ...others] = cursor.split(",");
  return timestampSchema.safeParse(timestamp).success && id !== "" && others.length === 0 ? { timestamp, id } : null;
}

/** Whether an event is of the incident's failure in its environment, or of one that joined it there. */
function belongsTo({ event, fingerprint, env }: StoredEvent, incident: Incident): boolean {
  const { trigger, joined_failures: joined = [] } = incident;
  if (trigger.kind === "event" && trigger.event_id === event.id) return true;
  if (fingerprint === "" || (incident.env !== null && env !== incident.env)) return false;
  return fingerprint === incident.fingerprint || joined.some((one) => one.fingerprint === fingerprint);
}

function present({ event, service, env, release, host, instance }: StoredEvent): Occurrence {
  const { id, timestamp, request } = event;
  return {
    event_id: id,
    at: timestamp,
    service,
    env,
    release,
    host: host.name,
    instance,
    route: request?.route ?? request?.path ?? null,
    user_agent: userAgent(request?.headers ?? {}),
  };
}

function userAgent(headers: Readonly<Record<string, string | readonly string[]>>): string | null {
  const [, value] = Object.entries(headers).find(([name]) => name.toLowerCase() === "user-agent") ?? [];
  return value === undefined ? null : [value].flat().join(" ");
}

function unlessUnavailable(error: unknown): null {
  if (error instanceof WhenceError && error.status === statusUnavailable) return null;
  throw error;
}
