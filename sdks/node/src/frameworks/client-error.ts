import { readProperty } from "../runtime/read-property.ts";

/**
 * Whether an error only says that a request was wrong, which is no failure of the service: by its own status, else by
 * the one that the program has given to the answer before it failed.
 */
export function isClientError(error: unknown, answerStatus?: unknown): boolean {
  const status = ownStatus(error) ?? answerStatus;
  return typeof status === "number" && status >= 400 && status < 500;
}

function ownStatus(error: unknown): unknown {
  // Of a client of HTTP, such as axios: what another service has said to a request of ours.
  if (readProperty(readProperty(error, "response"), "status") !== undefined) return undefined;
  return (
    readProperty(error, "statusCode") ??
    readProperty(error, "status") ??
    readProperty(readProperty(error, "output"), "statusCode")
  );
}
