import type { ParsedException } from "../findings/parsed-error.ts";

/** What servers raise for a request whose address leads nowhere. */
const noSuchAddress =
  /^(?:Route [A-Z]{3,7}:\S{1,2000} not found|Cannot [A-Z]{3,7} \/\S{0,2000}$|Not Found: \/|No route matches \[|No static resource |No (?:handler found for|endpoint) [A-Z]{3,7} |404 Not Found: The requested URL was not found on the server)/;
/** Classes that are named for what is wrong with a request. An answer of another service has many more names. */
const refusal =
  /(?:NotFound|BadRequest|Unauthorized|Forbidden|NotAllowed|NotAcceptable|Conflict|Gone|TooLarge|UnsupportedMediaType|Unprocessable(?:Entity|Content)|TooManyRequests|Validation|Fastify)(?:Error|Exception)?$/;
const ofAnswer = /\b4\d\d\b|\b(?:status|response) code\b|\brequest failed\b|https?:\/\//i;
const statusNames = ["statusCode", "status"];
/** Services name a request in their answers, so errors of their clients have such a field, and own ones none. */
const answerNames = ["requestId", "requestID", "request_id"];

/**
 * Returns whether a server only refused a request with an error: a logger printed it, and it says that the address
 * leads nowhere, or has a status between 400 and 499 and is made to be answered. A status alone may be that of the
 * answer that a client got, which is no refusal but a failure.
 */
export function isClientFault({ type, message, properties, fatal, level, logContext }: ParsedException): boolean {
  if (fatal || level === "fatal" || !logContext.logged) return false;
  if (noSuchAddress.test(message)) return true;
  if (!statusNames.map((name) => Number(properties[name])).some((one) => one >= 400 && one < 500)) return false;
  // `http-errors` marks what may be shown to whom it answers.
  if (properties.expose === true) return true;
  return refusal.test(type) && !ofAnswer.test(message) && !answerNames.some((name) => name in properties);
}
