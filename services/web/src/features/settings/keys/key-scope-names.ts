import { type KeyScope, keyScopes } from "@whence/protocol";

const names: Readonly<Record<KeyScope, { readonly name: string; readonly does: string }>> = {
  send: { name: "Send", does: "can only send telemetry" },
  analyze: { name: "Analyze", does: "can start analyses and read their reports" },
  read: { name: "Read", does: "can read incidents, telemetry, and services" },
  release: { name: "Release", does: "can only upload sources and report releases, for CI" },
  sentry: { name: "Sentry", does: "gives Sentry's clients a DSN, for one service" },
  full: { name: "Full", does: "can do everything a key can" },
};

/** The choices for a new key's scope, the one for services first. */
export const keyScopeOptions: readonly { readonly value: KeyScope; readonly name: string }[] = keyScopes.map(
  (value) => ({ value, name: `${names[value].name}: ${names[value].does}` }),
);

/** Returns the scopes of a key as a list shows them: *Analyze and read*. */
export function keyScopesName(scopes: readonly KeyScope[]): string {
  const [first = "", ...rest] = scopes.map((scope) => names[scope].name);
  return [first, ...rest.map((name) => name.toLowerCase())].join(" and ");
}
