import type { EventFacts } from "./event-facts.ts";
import type { ParsedError } from "./parsed-error.ts";

/**
 * Returns whether a rejected promise was unhandled, according to the event or to what Node.js prints above such an
 * error.
 */
export function isUnhandledRejection(error: ParsedError, event: EventFacts | null): boolean {
  if (event) return event.mechanism.type === "unhandledRejection";
  const head = error.exceptions[error.chain[0] ?? -1];
  return (
    head?.throwSite?.file.startsWith("node:internal/process/promises") === true ||
    error.headline.includes("nhandledPromiseRejection")
  );
}
