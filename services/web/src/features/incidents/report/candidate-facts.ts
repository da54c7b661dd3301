import type { Candidate } from "@whence/protocol";
import { categoryName } from "../../../lib/category-name.ts";
import { placeName } from "../place-name.ts";

/** Returns the category, service, and place of a candidate; without the place when its statement names the file. */
export function candidateFacts({
  category,
  service,
  location,
  statement,
}: Pick<Candidate, "category" | "service" | "location" | "statement">): string {
  const place = location === null || statement.includes(location.file) ? null : placeName(location);
  return [categoryName(category), service, place].filter(Boolean).join(" · ");
}

/** Returns why a candidate ranks lower than the first; null for the first. */
export function lowerRankReason(
  { score, against }: Pick<Candidate, "score" | "against">,
  first: Pick<Candidate, "score"> | null,
): string | null {
  if (first === null) return null;
  const behind = `${Math.round((first.score - score) * 100)} points behind candidate 1`;
  return against.length > 0 ? behind : `${behind}: its evidence is weaker`;
}
