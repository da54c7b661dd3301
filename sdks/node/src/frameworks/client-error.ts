import { readProperty } from "../bounded-data.ts";

/** Whether an error only says that a request was wrong (status 400 to 499), which is no failure of the service. */
export function isClientError(error: unknown): boolean {
  const status = readProperty(error, "statusCode") ?? readProperty(error, "status");
  return typeof status === "number" && status >= 400 && status < 500;
}
