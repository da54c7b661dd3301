import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { HttpContext } from "./context.ts";
import type { RouteRateLimits } from "./rate-limits.ts";

/**
 * The identity library's routes: `POST /api/auth/sign-in/email`, `POST /api/auth/sign-out`, `GET /api/auth/get-session`
 * and the rest of its interface. It reads the body itself, so `app` must be a scope of its own.
 */
export async function sessionRoutes(
  app: FastifyInstance,
  context: HttpContext,
  rateLimits: RouteRateLimits,
): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.route({
    method: ["GET", "POST"],
    url: "/api/auth/*",
    handler: async (request, reply) => {
      if (request.url.startsWith("/api/auth/sign-")) await rateLimits.signIn(request, reply);
      return sendAnswer(reply, await context.identity.handle(webRequest(request)));
    },
  });
}

function webRequest(request: FastifyRequest): Request {
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  const body = Buffer.isBuffer(request.body) ? new Uint8Array(request.body) : null;
  return new Request(`${request.protocol}://${request.host}${request.url}`, { method: request.method, headers, body });
}

async function sendAnswer(reply: FastifyReply, answer: Response): Promise<FastifyReply> {
  const headers = [...answer.headers].filter(([name]) => name !== "set-cookie");
  const cookies = answer.headers.getSetCookie();
  reply.code(answer.status).headers(Object.fromEntries(headers));
  if (cookies.length > 0) reply.header("set-cookie", cookies);
  return reply.send(Buffer.from(await answer.arrayBuffer()));
}
