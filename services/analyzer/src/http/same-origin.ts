import type { FastifyRequest } from "fastify";
import { analyzerErrors } from "../errors.ts";
import type { HttpContext } from "./context.ts";

/**
 * Refuses a request that a browser sent from another site. Beside the SameSite cookie this is the protection against
 * cross-site request forgery: browsers set `Origin` on every POST, and a page cannot forge it. Programs send none. Where
 * people open the service is decided by its address, if one was given; otherwise any name of its host will do.
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
