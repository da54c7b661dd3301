import type { FastifyRequest } from "fastify";
import { analyzerErrors } from "../errors.ts";
import type { HttpContext } from "./context.ts";

/**
 * Refuses a request that a browser sent from another site. With the SameSite cookie, this protects against cross-site
 * request forgery: browsers set `Origin` on every POST, and a page cannot forge it. Programs send none. The expected
 * origin is the service's configured address, or any name of its host if none is configured.
 */
export function requireSameOrigin(
  request: FastifyRequest,
  { appUrl, isAppUrlGiven }: Pick<HttpContext, "appUrl" | "isAppUrlGiven">,
): void {
  const { origin } = request.headers;
  if (origin === undefined) return;
  const own = new URL(appUrl).origin;
  const isOwn = isAppUrlGiven ? URL.parse(origin)?.origin === own : URL.parse(origin)?.host === request.host;
  if (!isOwn) throw analyzerErrors.create("WHENCE_ERR_ORIGIN_REFUSED", [origin, own]);
}
