import type { ParsedException } from "../findings/parsed-error.ts";

/** What servers raise for a request whose address leads nowhere. */
const noSuchAddress =
  /^(?:Route \S{1,200} not found|Cannot (?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \/|Not Found: \/|No route matches \[|No (?:static resource|handler found for|endpoint) |404 Not Found: The requested URL was not found on the server)/;
/** Clients' errors have the status of the answer that they got, which is no answer to a request. */
const ofClient = /^(?:Axios|Fetch|Gaxios|Request|Response|HTTP|Http|Api|API)\w{0,30}(?:Error|Exception)$/;
const ofAnswer = /\b(?:status|response) code\b|\brequest failed\b|https?:\/\//i;
const statusNames = ["statusCode", "status"];

/**
 * Returns whether a server only refused a request with an error: a logger printed it, and it has a status between 400
 * and 499, or says that the address leads nowhere.
 */
export function isClientFault({ type, message, properties, fatal, logContext }: ParsedException): boolean {
  if (fatal || !logContext.logged) return false;
  if (noSuchAddress.test(message)) return true;
  const status = statusNames.map((name) => Number(properties[name])).find((one) => one >= 400 && one < 500);
  return status !== undefined && !ofClient.test(type) && !ofAnswer.test(message);
}
