import { z } from "zod";

/**
 * What an organization's API key may do. `send`: telemetry alone, for processes and browsers. `analyze`: analyses and
 * their reports, its own only. `read`: whatever its organization has stored, changing nothing.
 * `release`: sources of releases, for CI, and nothing else. `full`: all of it.
 */
export const keyScopes = ["send", "analyze", "read", "release", "full"] as const;
export const keyScopeSchema = z.enum(keyScopes);
export type KeyScope = z.infer<typeof keyScopeSchema>;

/** What a claimed or an unclaimed agent's key may do: analyses, and what its scope of data has stored. */
export const agentKeyScopes: readonly KeyScope[] = ["analyze", "read"];

/** Whether a key that has `scopes` may do what takes one of `wanted`. */
export function isWithinScopes(scopes: readonly KeyScope[], wanted: readonly KeyScope[]): boolean {
  return scopes.includes("full") || wanted.some((scope) => scopes.includes(scope));
}
