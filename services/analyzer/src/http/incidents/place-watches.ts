import {
  type IncidentWatch,
  incidentWatchSchema,
  minuteMs,
  newWatchSchema,
  type OrderedPlace,
  type PlaceWatch,
  placeWatchSchema,
  type WatchList,
  type WatchState,
  watchListSchema,
} from "@whence/protocol";
import type {
  IncidentScope,
  KeyStore,
  PlaceWatchScope,
  Scoped,
  SecretScope,
  StoredPlaceWatch,
  WatchedProgram,
} from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { analyzerErrors } from "../../errors.ts";
import { orderedPlacesOf } from "../../place-watches/ordered-places.ts";
import { watchKeyOf } from "../../place-watches/watch-key.ts";
import { byKeyOrMember, byMember } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { parse } from "../validation.ts";
import { type Caller, requireCaller, requireMember } from "../viewer.ts";
import { readIncident, requireVisible, unknownIncident } from "./visible-incident.ts";

const operations = {
  list: {
    operationId: "list_place_watches",
    tags: ["incidents"],
    summary:
      "List the places that running processes are asked to watch now, and the key that the orders are signed with",
    response: { 200: watchListSchema },
  },
  read: {
    operationId: "get_incident_watch",
    tags: ["incidents"],
    summary:
      "Get the last watch of an incident's places, what was seen there, and the places that a watch would be for",
    response: { 200: incidentWatchSchema },
    errors: ["WHENCE_ERR_INCIDENT_UNKNOWN"],
  },
  start: {
    operationId: "watch_incident",
    tags: ["incidents"],
    summary: "Ask the running processes of the failing release to watch the places that an incident's report names",
    body: newWatchSchema,
    response: { 200: placeWatchSchema },
    errors: ["WHENCE_ERR_INCIDENT_UNKNOWN", "WHENCE_ERR_WATCH_NO_PLACES", "WHENCE_ERR_WATCH_RUNNING"],
  },
  stop: {
    operationId: "stop_incident_watch",
    tags: ["incidents"],
    summary: "Stop watching an incident's places",
    response: { 200: placeWatchSchema },
    errors: ["WHENCE_ERR_INCIDENT_UNKNOWN", "WHENCE_ERR_WATCH_UNKNOWN"],
  },
} as const satisfies Record<string, FastifySchema>;

type Context = HttpContext<KeyStore & Scoped<IncidentScope & PlaceWatchScope & SecretScope>>;

/** Routes for the places that running processes are asked to watch: by session, or by a key with full access. */
export function placeWatchRoutes(app: FastifyInstance, context: Context): void {
  const { control, clock } = context;
  const watchesOf = (scopeId: string) => control.scope(scopeId).placeWatches;

  app.get("/api/watches", { ...byMember, schema: operations.list }, async (request): Promise<WatchList> => {
    const { organizationId } = await requireMember(context, request);
    const now = new Date(clock());
    const running = await watchesOf(organizationId).running(now);
    return { watches: running.map(present), key: (await watchKeyOf(control, organizationId, now)).text };
  });

  app.get<{ Params: { id: string } }>(
    "/api/incidents/:id/watch",
    { ...byKeyOrMember("read"), schema: operations.read },
    async (request): Promise<IncidentWatch> => {
      const caller = await requireCaller(context, request);
      const { id, report } = await readIncident(context, caller, request.params.id);
      const watch = await watchesOf(caller.scopeId).last(id);
      const seen = watch?.seen && (await context.events.forScope(caller.scopeId).event(watch.seen.eventId));
      return {
        watch: watch && present(watch),
        places: orderedPlacesOf(report?.watch),
        watched: seen?.event.watched ?? null,
      };
    },
  );

  app.post<{ Params: { id: string } }>(
    "/api/incidents/:id/watch",
    { ...byKeyOrMember("full"), schema: operations.start },
    async (request): Promise<PlaceWatch> => {
      requireSameOrigin(request, context);
      const caller = await requireCaller(context, request);
      const { minutes } = parse(newWatchSchema, request.body ?? {}, "body");
      const { id, program, places } = await watchable(context, caller, request.params.id);
      const now = new Date(clock());
      const key = await watchKeyOf(control, caller.scopeId, now);
      const expiresAt = new Date(now.getTime() + minutes * minuteMs);
      const order = {
        organization: caller.scopeId,
        ...program,
        places: [...places],
        issued_at: now.toISOString(),
        expires_at: expiresAt.toISOString(),
      };
      const added = await watchesOf(caller.scopeId).add({
        ...program,
        incidentId: id,
        places,
        expiresAt,
        by: caller.actor,
        now,
        key: key.text,
        sign: (watch) => key.sign({ id: watch, ...order }),
      });
      if (added.outcome === "unknown") throw unknownIncident(id);
      if (added.outcome === "running") {
        const { release, service, expiresAt, incidentId } = added.watch;
        throw analyzerErrors.create("WHENCE_ERR_WATCH_RUNNING", [release, service, expiresAt, incidentId]);
      }
      return present(added.watch);
    },
  );

  app.delete<{ Params: { id: string } }>(
    "/api/incidents/:id/watch",
    { ...byKeyOrMember("full"), schema: operations.stop },
    async (request): Promise<PlaceWatch> => {
      requireSameOrigin(request, context);
      const caller = await requireCaller(context, request);
      const { id } = request.params;
      await requireVisible(context, caller, id);
      const stopped = await watchesOf(caller.scopeId).stop(id, caller.actor, new Date(clock()));
      if (!stopped) throw analyzerErrors.create("WHENCE_ERR_WATCH_UNKNOWN", [id.slice(0, 60)]);
      return present(stopped);
    },
  );
}

/** What a watch of an incident is for. Throws the error for an incident that can't be watched. */
async function watchable(
  context: Context,
  caller: Caller,
  incidentId: string,
): Promise<{ readonly id: string; readonly program: WatchedProgram; readonly places: readonly OrderedPlace[] }> {
  const { id, report } = await readIncident(context, caller, incidentId);
  const places = orderedPlacesOf(report?.watch);
  const input = await context.control.scope(caller.scopeId).incidents.input(id);
  const failing = input?.kind === "event" ? await context.events.forScope(caller.scopeId).event(input.eventId) : null;
  if (!failing || failing.release === "" || places.length === 0) {
    throw analyzerErrors.create("WHENCE_ERR_WATCH_NO_PLACES", [id]);
  }
  const { service, env, release } = failing;
  return { id, program: { service, env, release }, places };
}

function present({ id, incidentId, service, env, release, seen, ...rest }: StoredPlaceWatch): PlaceWatch {
  return {
    id,
    incident_id: incidentId,
    service,
    env,
    release,
    created_at: rest.createdAt,
    created_by: rest.createdBy,
    expires_at: rest.expiresAt,
    stopped_at: rest.stoppedAt,
    places: [...rest.places],
    ...processesOf(rest),
    seen: seen && { failures: seen.failures, event_id: seen.eventId, at: seen.at },
  };
}

function processesOf({ processes }: Pick<StoredPlaceWatch, "processes">): Pick<PlaceWatch, "process" | "processes"> {
  const last = processes.at(-1);
  const count = (state: WatchState): number => processes.filter((one) => one.state === state).length;
  return {
    process: last ? { state: last.state, reason: last.reason, at: last.at } : null,
    processes: { armed: count("armed"), refused: count("refused"), ended: count("ended") },
  };
}
