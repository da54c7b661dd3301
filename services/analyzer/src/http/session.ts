import type { FastifyInstance, FastifyRequest } from "fastify";
import type { HttpContext } from "./context.ts";
import type { RouteRateLimits } from "./rate-limits.ts";

/**
 * The identity library's routes: `POST /api/auth/sign-in/email`, `POST /api/auth/sign-out`, `GET /api/auth/get-session`
 * and the rest of its interface. It reads the body itself, so that one is handed on unparsed.
 */
export async function sessionRoutes(
  app: FastifyInstance,
  context: HttpContext,
  rateLimits: RouteRateLimits,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    scope.route({
      method: ["GET", "POST"],
      url: "/api/auth/*",
      handler: async (request, reply) => {
        if (request.url.startsWith("/api/auth/sign-")) await rateLimits.signIn(request, reply);
        const answer = await context.identity.handle(webRequest(request));
        const headers = [...answer.headers].filter(([name]) => name !== "set-cookie");
        reply
          .code(answer.status)
          .headers(Object.fromEntries(headers))
          .header("set-cookie", answer.headers.getSetCookie());
        return reply.send(Buffer.from(await answer.arrayBuffer()));
      },
    });
  });
}

function webRequest(request: FastifyRequest): Request {
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  const body = Buffer.isBuffer(request.body) ? new Uint8Array(request.body) : null;
  return new Request(`${request.protocol}://${request.host}${request.url}`, { method: request.method, headers, body });
}
