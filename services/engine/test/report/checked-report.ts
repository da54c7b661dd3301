import { assemble } from "../../src/report/assemble.ts";
import { bookOf } from "../../src/report/evidence-book.ts";
import { render } from "../../src/report/render.ts";
import { verify } from "../../src/report/verify.ts";
import { type Case, failedAt, now } from "./written-reports.ts";

/** The time so many seconds after the failure of every written case. */
export function secondsAfter(seconds: number): string {
  return new Date(Date.parse(failedAt) + seconds * 1_000).toISOString();
}

/** A case's report and what was dropped from it. */
export function checked({ findings, traced, ranking }: Case) {
  const book = bookOf(findings);
  const written = render(findings, traced, ranking, book, now);
  return verify(assemble(written, book), [], { findings, facts: book.facts });
}
