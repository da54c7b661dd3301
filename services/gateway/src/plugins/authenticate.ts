import { hash } from "node:crypto";
import { isWithinScopes, violation } from "@whence/protocol";
import type { KeyDirectory, KeyLookup } from "@whence/storage";
import type { FastifyReply, FastifyRequest } from "fastify";
import { gatewayErrors } from "../errors.ts";
import { KeyCache } from "./key-cache.ts";
import type { GuessLimit } from "./rate-limit.ts";

const refusals = {
  unknown: "WHENCE_ERR_TELEMETRY_KEY_UNKNOWN",
  revoked: "WHENCE_ERR_TELEMETRY_KEY_REVOKED",
  expired: "WHENCE_ERR_TELEMETRY_KEY_EXPIRED",
  unconfirmed: "WHENCE_ERR_TELEMETRY_AGENT_KEY",
} as const;

export interface AuthenticateOptions {
  readonly keys: KeyDirectory;
  readonly clock: () => number;
  readonly guesses: GuessLimit;
}

/**
 * Returns a hook that finds the organization of `X-API-Key`, or refuses the request before its body is read: 422
 * without the header, 401 for an invalid key, 403 for an agent's and for one without the `send` scope. Rejects with the
 * directory's error when the directory doesn't answer and the key wasn't known. Every key is hashed and looked up in
 * the same way, whatever its form.
 */
export function authenticate({
  keys,
  clock,
  guesses,
}: AuthenticateOptions): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const cache = new KeyCache(keys, clock);
  return async (request, reply) => {
    const key = request.headers["x-api-key"];
    if (key === undefined) throw violation(["header", "X-API-Key"], "missing", "Field required");
    const keyHash = hash("sha256", String(key));
    const found = await (cache.remembered(keyHash) ?? lookUp({ cache, keys, clock, guesses }, keyHash, request, reply));
    if (found.outcome !== "valid") throw gatewayErrors.create(refusals[found.outcome]);
    const { principal } = found;
    if (principal.kind === "agent") throw gatewayErrors.create("WHENCE_ERR_TELEMETRY_AGENT_KEY");
    if (!isWithinScopes(principal.scopes, ["send"])) {
      throw gatewayErrors.create("WHENCE_ERR_TELEMETRY_KEY_SCOPE", [principal.scopes.join(" or ")]);
    }
    request.sender = principal;
  };
}

/**
 * Counts only keys that weren't seen lately as guesses: one client with a wrong key must not lock out others behind the
 * same address.
 */
async function lookUp(
  { cache, keys, clock, guesses }: AuthenticateOptions & { readonly cache: KeyCache },
  hash: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<KeyLookup> {
  if (!cache.wasValid(hash)) await guesses.refuseWhenSpent(request, reply);
  const askedMeanwhile = cache.remembered(hash);
  if (askedMeanwhile !== undefined) return askedMeanwhile;
  const found = await cache.find(hash);
  if (found.outcome === "unknown") await guesses.count(request);
  if (found.outcome === "valid" && found.isUseUnnoted) {
    // Not awaited: a database that is down must not delay telemetry.
    keys.touch(found.principal.keyId, new Date(clock())).catch((error: unknown) => {
      request.log.warn({ err: error }, "the use of a key was not noted");
    });
  }
  return found;
}
