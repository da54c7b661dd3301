/**
 * Field names whose values never leave a client and are replaced again by the gateway.
 * A name matches only when it is exactly one of these, ignoring case (specification, Events, rule 5).
 */
export const redactedNames: readonly string[] = [
  "password",
  "passwd",
  "secret",
  "api_key",
  "apikey",
  "token",
  "auth",
  "authorization",
  "cookie",
  "csrf",
  "session",
  "credit_card",
  "ssn",
];

/** What stands where a value was. */
export const redactedValue = "[redacted]";

const names = new Set(redactedNames);

/** Whether a field of this name is replaced. */
export function isRedactedName(name: string): boolean {
  return names.has(name.toLowerCase());
}

/** A copy of `fields` with the values of redacted names replaced; the input is left as it was. */
export function redactFields<Value>(fields: Readonly<Record<string, Value>>): Record<string, Value | string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, isRedactedName(name) ? redactedValue : value]),
  );
}
