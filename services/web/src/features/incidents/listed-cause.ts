import type { IncidentSummary } from "@whence/protocol";
import { categoryName } from "../../lib/category-name.ts";
import { plainText } from "./plain-text.ts";

/** Returns a list's text about an incident's cause: the cause, why there is none, or the state of the investigation. */
export function listedCause({
  status,
  root_cause_summary: summary,
  category,
  failure,
}: Pick<IncidentSummary, "status" | "root_cause_summary" | "category" | "failure">): string {
  if (summary !== null) return plainText(summary);
  if (failure) return failure.message;
  if (category !== null) return categoryName(category);
  return status === "completed" ? "Report ready" : "Investigating…";
}
