import { readProperty } from "../read-property.ts";

/** Whether an error only says that a request was wrong, which is no failure of the service. */
export function isClientError(error: unknown): boolean {
  const status =
    readProperty(error, "statusCode") ??
    readProperty(error, "status") ??
    readProperty(readProperty(error, "output"), "statusCode");
  return typeof status === "number" && status >= 400 && status < 500;
}
