import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { byAnyone } from "../http/access.ts";
import { answerUnknownRoute } from "../http/error-handler.ts";
import { applicationPaths } from "./application-paths.ts";
import type { BundledFile, WebBundle } from "./bundle.ts";

/** Nothing but what this origin serves as a file: no inline script or style, no other origin, no frame around it. */
const policy = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'"],
  ...["form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"],
].join("; ");

const headers = {
  "content-security-policy": policy,
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  // Not "no-referrer": with it browsers send `Origin: null`, and the page's own requests would look like another site's.
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  vary: "accept-encoding",
};

const notBuilt =
  "The web application is not built: run `pnpm build` and start the service again. The API works without it.\n";
const statusNotModified = 304;
const statusUnavailable = 503;

/** Where the pages are that the bundle has beside the application's own. */
const otherPages = { "/docs/api": "/api-reference.html" } as const;

/** The web application: its page for each of its paths, its files by names that change with their content. */
export function webRoutes(app: FastifyInstance, bundle: WebBundle | null): void {
  const pages = [...applicationPaths.map((path) => [path, "/index.html"] as const), ...Object.entries(otherPages)];
  for (const [path, file] of pages) {
    const page = bundle?.get(file);
    app.get(path, byAnyone, async (request, reply) => {
      reply.headers(headers).header("cache-control", "no-cache");
      if (page) return sendFile(request, reply, page);
      return reply.code(statusUnavailable).type("text/plain; charset=utf-8").send(notBuilt);
    });
  }
  app.get("/assets/*", byAnyone, async (request, reply) => {
    const file = bundle?.get(request.url.split("?", 1)[0] ?? "");
    if (!file) return answerUnknownRoute(request, reply);
    reply.headers(headers).header("cache-control", "public, max-age=31536000, immutable");
    return sendFile(request, reply, file);
  });
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: BundledFile): FastifyReply {
  reply.type(file.type).header("etag", file.etag);
  if (request.headers["if-none-match"] === file.etag) return reply.code(statusNotModified).send();
  const accepted = acceptedEncodings(request.headers["accept-encoding"]);
  for (const [name, content] of file.encoded) {
    if (accepted.has(name)) return reply.header("content-encoding", name).send(content);
  }
  return reply.send(file.content);
}

/** The encodings that a browser takes; one of weight 0 it does not. */
function acceptedEncodings(header: string | string[] | undefined): ReadonlySet<string> {
  const parts = [header ?? ""]
    .flat()
    .join(",")
    .split(",")
    .map((part) => part.split(";").map((piece) => piece.trim()));
  const taken = parts.filter(([, weight]) => weight === undefined || Number(weight.replace(/^q=/i, "")) > 0);
  return new Set(taken.map(([name = ""]) => name.toLowerCase()));
}
