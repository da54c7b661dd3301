import { hash } from "node:crypto";
import { isWithinScopes, violation } from "@whence/protocol";
import type { KeyDirectory, Scoped, SecretScope } from "@whence/storage";
import type { FastifyReply, FastifyRequest } from "fastify";
import { gatewayErrors } from "../errors.ts";
import { KeyCache } from "./key-cache.ts";
import { lookUpSender, type SenderLookup } from "./look-up-sender.ts";
import type { GuessLimit } from "./rate-limit.ts";
import type { Sender } from "./sender.ts";

const refusals = {
  unknown: "WHENCE_ERR_TELEMETRY_KEY_UNKNOWN",
  revoked: "WHENCE_ERR_TELEMETRY_KEY_REVOKED",
  expired: "WHENCE_ERR_TELEMETRY_KEY_EXPIRED",
  unconfirmed: "WHENCE_ERR_TELEMETRY_AGENT_KEY",
} as const;

export interface AuthenticateOptions {
  readonly keys: KeyDirectory;
  readonly secrets: Scoped<SecretScope>;
  readonly clock: () => number;
  readonly guesses: GuessLimit;
}

/** Returns the organization whose key it is. */
export type FindSender = (key: string, request: FastifyRequest, reply: FastifyReply) => Promise<Sender>;

/**
 * Returns a function that finds the organization of a key, whatever its scope, and throws 401 for an invalid key and 403
 * for an agent's. Rejects with the directory's error when the directory doesn't answer and the key wasn't known. Every
 * key is hashed and looked up in the same way, whatever its form.
 */
export function senderFinder({ keys, secrets, clock, guesses }: AuthenticateOptions): FindSender {
  const cache = new KeyCache(lookUpSender(keys, secrets), clock);
  return async (key, request, reply) => {
    const keyHash = hash("sha256", key);
    const found = await (cache.remembered(keyHash) ?? lookUp({ cache, keys, clock, guesses }, keyHash, request, reply));
    if (found.outcome !== "valid") throw gatewayErrors.create(refusals[found.outcome]);
    const { principal } = found;
    if (principal.kind === "agent") throw gatewayErrors.create("WHENCE_ERR_TELEMETRY_AGENT_KEY");
    return principal;
  };
}

/** Returns the key of a request, or throws when it has none. */
export type KeyOfRequest = (request: FastifyRequest) => string;

/** Returns the key in `X-API-Key`; throws 422 without it. */
export function keyInHeader({ headers }: FastifyRequest): string {
  const key = headers["x-api-key"];
  if (key === undefined) throw violation(["header", "X-API-Key"], "missing", "Field required");
  return String(key);
}

/**
 * Returns a hook that finds the organization of a request's key, or refuses the request before its body is read: 401
 * for an invalid key, 403 for one without the `send` scope.
 */
export function authenticate(
  find: FindSender,
  keyOf: KeyOfRequest,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (request, reply) => {
    const sender = await find(keyOf(request), request, reply);
    if (!isWithinScopes(sender.scopes, ["send"])) {
      throw gatewayErrors.create("WHENCE_ERR_TELEMETRY_KEY_SCOPE", [sender.scopes.join(" or ")]);
    }
    request.sender = sender;
  };
}

/**
 * Counts only keys that weren't seen lately as guesses: one client with a wrong key must not lock out others behind the
 * same address.
 */
async function lookUp(
  { cache, keys, clock, guesses }: Omit<AuthenticateOptions, "secrets"> & { readonly cache: KeyCache },
  hash: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SenderLookup> {
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
