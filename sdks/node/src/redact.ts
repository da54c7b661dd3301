import { isRedactedName, redactedValue } from "@whence/protocol/redaction";

/** Header values as Node's `http` gives them. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A copy in which the value of every header with a redacted name is replaced; absent ones are left out. */
export function redactHeaders(headers: Headers): Record<string, string | string[]> {
  const result: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    if (isRedactedName(name)) result[name] = redactedValue;
    else result[name] = typeof value === "string" ? value : [...value];
  }
  return result;
}

/** The value that a field of this name may leave the process with. */
export function redactValue(name: string, value: unknown): unknown {
  return isRedactedName(name) ? redactedValue : value;
}
