import { type Redaction, type Request, redactedValue } from "@whence/protocol";

/** A header of a request. */
export interface RequestHeader {
  readonly name: string;
  readonly value: string;
  /** Whether its value was replaced, by the client or on receipt. */
  readonly isRedacted: boolean;
}

/** Returns the headers of a request by name, with those marked whose values were replaced. */
export function requestHeaders(
  { headers }: Pick<Request, "headers">,
  redactions: readonly Redaction[],
): RequestHeader[] {
  const replaced = new Set(redactions.map(({ path }) => path));
  return Object.entries(headers)
    .map(([name, values]) => {
      const value = [values].flat().join(", ");
      const isRedacted = value === redactedValue || replaced.has(`/request/headers/${pointerPart(name)}`);
      return { name, value, isRedacted };
    })
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** A name within a JSON Pointer (RFC 6901). */
function pointerPart(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
