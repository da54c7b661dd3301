import { z } from "zod";

/**
 * The scopes of an organization's API key. `send`: telemetry only, for processes and browsers. `analyze`: its own
 * analyses and their reports. `read`: everything that the organization has stored, read-only. `release`: sources of
 * releases, for CI. `sentry`: events of Sentry's clients, for one service. `full`: everything.
 */
export const keyScopes = ["send", "analyze", "read", "release", "sentry", "full"] as const;
export const keyScopeSchema = z.enum(keyScopes);
export type KeyScope = z.infer<typeof keyScopeSchema>;

/** The scopes of every agent's key, claimed or not. */
export const agentKeyScopes: readonly KeyScope[] = ["analyze", "read"];

/** Whether `scopes` include one of `wanted`. */
export function isWithinScopes(scopes: readonly KeyScope[], wanted: readonly KeyScope[]): boolean {
  return scopes.includes("full") || wanted.some((scope) => scopes.includes(scope));
}
