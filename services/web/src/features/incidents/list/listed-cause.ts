import type { IncidentSummary } from "@whence/protocol";
import { categoryName } from "../../../lib/category-name.ts";
import { ownLine } from "../../../lib/own-line.ts";
import { sentenceTime, writtenTimes } from "../../../lib/times.ts";
import { plainText } from "../plain-text.ts";

/** Returns a list's text about an incident's cause: the cause, why there is none, or the state of the investigation. */
export function listedCause({
  status,
  root_cause_summary: summary,
  category,
  failure,
}: Pick<IncidentSummary, "status" | "root_cause_summary" | "category" | "failure">): string {
  if (summary !== null) return plainText(summary).replace(writtenTimes, localTime);
  if (failure) return ownLine(failure.message);
  if (category !== null) return categoryName(category);
  return status === "completed" ? "Report ready" : "Investigating…";
}

/** Reports write times in UTC. One that isn't a time stays as it is. */
function localTime(at: string): string {
  return Number.isNaN(Date.parse(at)) ? at : sentenceTime(at, Date.now());
}
