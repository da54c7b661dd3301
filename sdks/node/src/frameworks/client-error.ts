import { readProperty } from "../runtime/read-property.ts";

/**
 * Whether an error only means that a request was bad, which is no failure of the service: by the error's own status, or
 * else by the response's status when it failed.
 */
export function isClientError(error: unknown, answerStatus?: unknown): boolean {
  const status = ownStatus(error) ?? answerStatus;
  return typeof status === "number" && status >= 400 && status < 500;
}

function ownStatus(error: unknown): unknown {
  // An error of an HTTP client such as axios: the status that another service returned to the program.
  if (readProperty(readProperty(error, "response"), "status") !== undefined) return undefined;
  return (
    readProperty(error, "statusCode") ??
    readProperty(error, "status") ??
    readProperty(readProperty(error, "output"), "statusCode")
  );
}
