import type { EventFacts } from "../findings/event-facts.ts";

/** What programs and their libraries log when migrations have run, or when none is left to run. */
const ran =
  /\bmigrated\b|\bmigrations? \S{1,80} (?:applied|completed?|done|ran)\b|\b(?:applied|ran|executed) (?:\d+ |all |the )?(?:pending )?migrations?\b|\bmigrations? (?:(?:were|was|have been|has been|are|is) )?(?:applied|completed?|done|finished|successful|succeeded|up[ -]to[ -]date)\b|\bno (?:pending )?migrations\b/i;
const failed = /\bfail|\berror\b|\bnot\b|\bcould ?n[o']t\b|\bwould\b|\bwill\b/i;

/** Returns whether the failing process logged that its migrations have run. */
export function loggedMigrations(event: EventFacts | null): boolean {
  return (event?.breadcrumbs ?? []).some(
    ({ level, message = "" }) =>
      level !== "error" && level !== "critical" && ran.test(message) && !failed.test(message),
  );
}

/** Returns a sentence about a database without the suspicion that a migration hasn't run. */
export function withoutPending(text: string): string {
  return text
    .replace(/: a migration hasn't run\b.*$/s, ".")
    .replace(/^If a migration .{0,80}?, run it; otherwise /s, "");
}
