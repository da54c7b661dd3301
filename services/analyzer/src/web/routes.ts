import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { byAnyone } from "../http/access.ts";
import { answerUnknownRoute } from "../http/error-handler.ts";
import { applicationPaths } from "./application-paths.ts";
import { isAskedByPerson } from "./asked-by-person.ts";
import type { WebBundle } from "./bundle.ts";
import { answerNotBuilt } from "./not-built.ts";
import { pageHeaders, sendAsset, sendContent, sendFile } from "./send-file.ts";

const statusNotFound = 404;

/** Pages of the bundle other than the application's own. */
const otherPages = { "/docs/api": "/api-reference.html" } as const;

/** Where people without an account read a report: no search engine is to list it, and no site to learn of it. */
const sharedPath = "/shared";
const sharedHeaders = { "referrer-policy": "no-referrer", "x-robots-tag": "noindex, nofollow" } as const;

/** Serves the web application: its page for each of its paths, and its files, whose names change with their content. */
export function webRoutes(app: FastifyInstance, bundle: () => WebBundle | null): void {
  const headers = pageHeaders();
  const pages = [...applicationPaths.map((path) => [path, "/index.html"] as const), ...Object.entries(otherPages)];
  for (const [path, file] of pages) {
    app.get(path, byAnyone, async (request, reply) => {
      const page = bundle()?.get(file);
      if (!page) return answerNotBuilt(request, reply, "WHENCE_ERR_PAGE_NOT_BUILT");
      reply.headers(headers).header("cache-control", "no-cache");
      if (path === sharedPath) reply.headers(sharedHeaders);
      return sendFile(request, reply, page);
    });
  }
  app.get("/assets/*", byAnyone, async (request, reply) => {
    const file = bundle()?.get(request.url.split("?", 1)[0] ?? "");
    return sendAsset(request, file ? reply.headers(headers) : reply, file);
  });
}

/** Answers a path that isn't served: a person's browser gets the application's page, which says so; others an error. */
export function unknownPaths(
  bundle: () => WebBundle | null,
): (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply> {
  const headers = pageHeaders();
  return (request, reply) => {
    const page = bundle()?.get("/index.html");
    if (!page || !isAskedByPerson(request)) return answerUnknownRoute(request, reply);
    reply.code(statusNotFound).headers(headers).header("cache-control", "no-cache");
    return sendContent(request, reply, page);
  };
}
