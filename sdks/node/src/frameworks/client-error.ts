import { readProperty } from "../read-property.ts";

/**
 * Whether an error only says that a request was wrong, which is no failure of the service: by its own status, else by
 * the one that the program has given to the answer before it failed.
 */
export function isClientError(error: unknown, answerStatus?: unknown): boolean {
  const own =
    readProperty(error, "statusCode") ??
    readProperty(error, "status") ??
    readProperty(readProperty(error, "output"), "statusCode");
  const status = own ?? answerStatus;
  return typeof status === "number" && status >= 400 && status < 500;
}
