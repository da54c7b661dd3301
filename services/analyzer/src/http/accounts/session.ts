import { parseJson } from "@whence/protocol";
import type { AuditScope, OrganizationStore, Scoped } from "@whence/storage";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Person } from "../../identity/identity.ts";
import { recordSecondFactorChange } from "../../identity/second-factor-changes.ts";
import { byAnyone } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { answerUnknownRoute } from "../error-handler.ts";
import type { RouteRateLimits } from "../limits/rate-limits.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { membershipChange } from "./audited-membership.ts";
import { secondFactorChange } from "./audited-second-factor.ts";

type Context = HttpContext<OrganizationStore & Scoped<AuditScope>>;

/**
 * The identity library's routes: `POST /api/auth/sign-in/email`, `POST /api/auth/sign-out`, `GET
 * /api/auth/get-session`, and its others. It reads the body itself, so `app` must be a separate scope. Every POST
 * counts as an attempt to sign in, so that no spelling of a path gains extra guesses.
 */
export async function sessionRoutes(
  app: FastifyInstance,
  context: Context,
  rateLimits: RouteRateLimits,
): Promise<void> {
  const { origin } = new URL(context.appUrl);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.route({
    method: ["GET", "POST"],
    url: "/api/auth/*",
    ...byAnyone,
    onRequest: async (request, reply) => {
      if (request.method !== "POST") return;
      requireSameOrigin(request, context);
      await rateLimits.signIn(request, reply);
    },
    handler: async (request, reply) => {
      const url = plainUrl(request, origin);
      if (url === null) return answerUnknownRoute(request, reply);
      const before = request.method === "POST" ? await context.identity.person(request.headers) : null;
      const answer = await context.identity.handle(webRequest(request, url));
      if (answer.ok && request.method === "POST") await record(context, before, url.pathname, answer.clone());
      return sendAnswer(reply, answer);
    },
  });
}

/** Records what the person who was signed in `before` changed in the audit log. */
async function record(
  { control, clock }: Context,
  before: Person | null,
  path: string,
  answer: Response,
): Promise<void> {
  const [said, now] = [parseJson(await answer.text()), new Date(clock())];
  const factor = secondFactorChange(path, before, said);
  if (factor) await recordSecondFactorChange(control, factor, now);
  const change = membershipChange(path, said);
  if (!change) return;
  const { organizationId, action, target } = change;
  const by = before ? { id: before.userId, name: before.name } : { id: "", name: "someone" };
  await control.scope(organizationId).audit.record({ action, target, by, now });
}

/**
 * Returns the request's URL below the application's own, whatever its `Host` header says; null when a URL parser reads
 * another path than the requested one (`/api/auth/a/../sign-in/email`).
 */
function plainUrl(request: FastifyRequest, origin: string): URL | null {
  const url = URL.parse(request.url, origin);
  const path = request.url.split("?", 1)[0];
  return url?.origin === origin && url.pathname === path ? url : null;
}

function webRequest(request: FastifyRequest, url: URL): Request {
  const headers = new Headers(
    Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    ),
  );
  // People open the service by any of its host's names, and the library knows one. It was already checked that the page
  // came from the host it was sent to.
  if (headers.has("origin")) headers.set("origin", url.origin);
  const body = Buffer.isBuffer(request.body) ? new Uint8Array(request.body) : null;
  return new Request(url, { method: request.method, headers, body });
}

async function sendAnswer(reply: FastifyReply, answer: Response): Promise<FastifyReply> {
  const headers = [...answer.headers].filter(([name]) => name !== "set-cookie");
  const cookies = answer.headers.getSetCookie();
  reply.code(answer.status).headers(Object.fromEntries(headers));
  if (cookies.length > 0) reply.header("set-cookie", cookies);
  return reply.send(Buffer.from(await answer.arrayBuffer()));
}
