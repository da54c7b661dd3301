import { createHash } from "node:crypto";
import type { IntegrationKindName } from "@whence/protocol";
import type { SecretRepository } from "@whence/storage";
import { generateRandomCodeVerifier, generateRandomState } from "oauth4webapi";
import { z } from "zod";
import type { Member } from "../../identity/identity.ts";
import { integrationLimits } from "../integration-limits.ts";

const attemptSchema = z.object({
  kind: z.string(),
  state_sha256: z.string(),
  session_id: z.string(),
  verifier: z.string(),
  account: z.string().nullable(),
  expires_at: z.number(),
});

/** An authorization that a person has started. */
export interface Attempt {
  readonly state: string;
  readonly verifier: string;
  /** The requested account at the vendor; null when none was named. */
  readonly account: string | null;
}

interface Started {
  readonly kind: IntegrationKindName;
  readonly member: Member;
  readonly account: string | null;
  readonly now: number;
}

/** Starts an authorization. A person has at most one per organization: a new one replaces it. */
export async function startAttempt(
  secrets: SecretRepository,
  { kind, member, account, now }: Started,
): Promise<Attempt> {
  const state = generateRandomState();
  const verifier = generateRandomCodeVerifier();
  const attempt: z.infer<typeof attemptSchema> = {
    kind,
    state_sha256: digestOf(state),
    session_id: member.sessionId,
    verifier,
    account,
    expires_at: now + integrationLimits.authorizedWithinMs,
  };
  await secrets.put(nameOf(member), JSON.stringify(attempt), new Date(now));
  return { state, verifier, account };
}

/**
 * Ends the authorization with this state, once. `unknown` when this session didn't start it for this kind, or it was
 * already used.
 */
export async function takeAttempt(
  secrets: SecretRepository,
  { kind, member, state, now }: Omit<Started, "account"> & { readonly state: string },
): Promise<Attempt | "unknown" | "expired"> {
  const stored = await secrets.get(nameOf(member));
  if (stored === null) return "unknown";
  const attempt = attemptSchema.parse(JSON.parse(stored));
  const isOwn =
    attempt.kind === kind && attempt.session_id === member.sessionId && attempt.state_sha256 === digestOf(state);
  if (!isOwn || !(await secrets.remove(nameOf(member)))) return "unknown";
  if (attempt.expires_at <= now) return "expired";
  return { state, verifier: attempt.verifier, account: attempt.account };
}

function nameOf({ userId }: Member): string {
  return `authorization.${userId}`;
}

function digestOf(state: string): string {
  return createHash("sha256").update(state).digest("base64url");
}
