import type { Breadcrumb } from "@whence/protocol";
import type { EventFacts } from "./event-facts.ts";

/** What frameworks and their loggers write at the start and at the end of every request. */
const everyRequest =
  /^(?:(?:incoming request|request (?:received|started|completed|finished))$|request (?:starting|finished) HTTP\/|started [A-Z]{3,7} "|completed \d{3} )/i;
/** The lowest status of a request that failed, and such a one in a line. */
const failedFrom = 400;
const failedStatus = /\b[45]\d\d\b/;

/** Returns whether a message is logged for every request that doesn't fail. */
export function isOfEveryRequest(message: string): boolean {
  const [line = ""] = message.trim().split("\n", 1);
  return everyRequest.test(line) && !failedStatus.test(line);
}

/** Returns the indexes of the breadcrumbs that say more than that there was a request, or that say it failed. */
export function tellingBreadcrumbs({ breadcrumbs }: EventFacts): number[] {
  return breadcrumbs.flatMap((breadcrumb, index) => (isRoutine(breadcrumb) ? [] : [index]));
}

function isRoutine({ message = "", level, data = {} }: Breadcrumb): boolean {
  const isQuiet = level === "debug" || level === "info";
  return isOfEveryRequest(message) && isQuiet && statusIn(data) < failedFrom;
}

/** Returns the status of the answer that a line reports; 0 where it has none. */
function statusIn(data: Readonly<Record<string, unknown>>): number {
  const { res } = data;
  const answer = typeof res === "object" && res !== null ? Reflect.get(res, "statusCode") : undefined;
  const status = Number(answer ?? data.statusCode ?? data.status);
  return Number.isNaN(status) ? 0 : status;
}
