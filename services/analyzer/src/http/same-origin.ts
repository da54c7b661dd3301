import type { FastifyRequest } from "fastify";
import { analyzerErrors } from "../errors.ts";

/**
 * Refuses a request that a browser sent from another site. Beside the SameSite cookie this is the protection against
 * cross-site request forgery: browsers set `Origin` on every POST, and a page cannot forge it. Programs send none.
 */
export function requireSameOrigin(request: FastifyRequest): void {
  const { origin } = request.headers;
  if (origin === undefined) return;
  if (URL.parse(origin)?.host !== request.host) throw analyzerErrors.create("WHENCE_ERR_ORIGIN_REFUSED", [origin]);
}
