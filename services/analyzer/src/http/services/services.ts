import { dayMs, hourMs, type Service, serviceSchema } from "@whence/protocol";
import type { IncidentScope, KeyStore, Scoped } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { z } from "zod";
import { byKeyOrMember } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { requireScope } from "../viewer.ts";
import { aliveMs } from "./service-processes.ts";

const servicesMax = 200;

const operations = {
  list: {
    operationId: "list_services",
    tags: ["telemetry"],
    summary:
      "List the services that sent telemetry in the last 24 hours, with their processes, failures, and incidents",
    response: { 200: z.object({ services: z.array(serviceSchema) }) },
  },
} as const satisfies Record<string, FastifySchema>;

/** `GET /api/services`: the services that sent telemetry in the last 24 hours, with their state. */
export function serviceRoutes(app: FastifyInstance, context: HttpContext<KeyStore & Scoped<IncidentScope>>): void {
  const { control, events, clock } = context;

  app.get(
    "/api/services",
    { ...byKeyOrMember("read"), schema: operations.list },
    async (request): Promise<{ services: readonly Service[] }> => {
      const scopeId = await requireScope(context, request);
      const now = clock();
      // Whole hours, so that the first bar of a day isn't cut off.
      const since = new Date(Math.floor((now - dayMs) / hourMs) * hourMs).toISOString();
      const aliveSince = new Date(now - aliveMs).toISOString();
      const [overviews, incidents] = await Promise.all([
        events.forScope(scopeId).services({ since, aliveSince, limit: servicesMax }),
        control.scope(scopeId).incidents.countByService(since),
      ]);
      const opened = new Map(incidents.map((row) => [`${row.service} ${row.env}`, row]));
      return {
        services: overviews.map(
          ({ service, env, release, lastSeenAt, processes, failures, answers, spoolFolder, spoolOff }) => ({
            service,
            env,
            release: release || null,
            last_heard_at: lastSeenAt,
            processes,
            spool_folder: spoolFolder || null,
            spool_off: spoolOff || null,
            failures: [...failures],
            answers: answers.map(({ at: hour, requests, failed }) => ({ hour, requests, failed })),
            incidents: opened.get(`${service} ${env}`)?.incidents ?? 0,
          }),
        ),
      };
    },
  );
}
