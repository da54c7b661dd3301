import { randomBytes } from "node:crypto";
import type { KeyDirectory, KeyLookup, Scoped, SecretScope } from "@whence/storage";
import type { Sender } from "./sender.ts";

/** The name of the key among an organization's secrets. */
const secretName = "users.key";
const keyBytes = 32;

type Valid = Extract<KeyLookup, { outcome: "valid" }>;
type Agent = Extract<Valid["principal"], { kind: "agent" }>;

/** The answer to a look-up, in which an organization comes with the key for its users. */
export type SenderLookup =
  | Exclude<KeyLookup, Valid>
  | (Omit<Valid, "principal"> & { readonly principal: Sender | Agent });

/**
 * Looks up keys together with the key that hashes their organization's users, which is made at the first look-up. They
 * are read at once, so that telemetry with users goes on as long as any other when the database is down.
 */
export function lookUpSender(
  keys: KeyDirectory,
  scopes: Scoped<SecretScope>,
): (hash: string, now: Date) => Promise<SenderLookup> {
  return async (hash, now) => {
    const found = await keys.find(hash, now);
    if (found.outcome !== "valid") return found;
    const { principal, ...rest } = found;
    if (principal.kind === "agent") return { ...rest, principal };
    const { scopeId, settings } = principal;
    const make = () => randomBytes(keyBytes).toString("base64url");
    const userKey = settings.plainUsers ? null : await scopes.scope(scopeId).secrets.ensure(secretName, make, now);
    return { ...rest, principal: { ...principal, userKey } };
  };
}
