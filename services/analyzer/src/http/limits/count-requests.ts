import { secondMs } from "@whence/protocol";
import type { FastifyInstance } from "fastify";
import type { AnalyzerMetrics } from "../../metrics.ts";

/** The label of a request for an unknown path. Callers choose paths, so counting by path would have no bound. */
const unknownRoute = "unknown";
const statusesPerClass = 100;

/** Counts and times every request to a route of `app`, by the route's pattern. */
export function countRequests(app: FastifyInstance, { requests, requestSeconds }: AnalyzerMetrics): void {
  app.addHook("onResponse", async ({ method, routeOptions }, reply) => {
    const known = routeOptions.url !== undefined;
    // On an unknown path, the method can be any word.
    const labels = { method: known ? method : unknownRoute, route: routeOptions.url ?? unknownRoute };
    requests.inc({ ...labels, status: `${Math.floor(reply.statusCode / statusesPerClass)}xx` });
    requestSeconds.observe(labels, reply.elapsedTime / secondMs);
  });
}
