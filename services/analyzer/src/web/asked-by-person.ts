import type { FastifyRequest } from "fastify";

/** Paths of programs, not of people: their errors stay JSON. */
const programPaths = /^\/(?:api|assets|sdk|operator|metrics|healthz|readyz)(?:[/?]|$)/;

/** Whether a browser asks for a page, which a person will read. */
export function isAskedByPerson({ method, url, headers }: FastifyRequest): boolean {
  return method === "GET" && (headers.accept ?? "").includes("text/html") && !programPaths.test(url);
}
