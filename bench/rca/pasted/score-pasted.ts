import { type Form, inForms } from "../forms.ts";
import { loweredByFiles } from "../more-files.ts";
import { reliabilityTable } from "../reliability.ts";
import { type Scored, scoreCases } from "../score-cases.ts";
import { scoreTable } from "../strata.ts";
import { type Half, halves } from "./pasted-case.ts";
import { pastedCases } from "./pasted-cases.ts";

/** Languages with too few cases to be scored alone are scored together. */
const casesMin = 40;

/** The scores of cases whose repositories train nothing. */
export interface PastedScores {
  readonly tables: string;
  /** What more files lower in the development half by more than chance explains. Held out, nothing is decided by it. */
  readonly lowered: readonly string[];
}

/** Scores each half. */
export async function scorePasted(wanted: readonly Form[]): Promise<PastedScores> {
  const tables: string[] = [];
  const lowered: string[] = [];
  for (const half of halves) {
    const scored = await scoredIn(half, wanted);
    tables.push(`${half}\n${tablesOf(scored)}`);
    if (half === "development") lowered.push(...loweredByFiles(scored));
  }
  return { tables: tables.join("\n\n"), lowered };
}

function tablesOf(scored: readonly Scored[]): string {
  if (scored.length === 0)
    return "No repository of the corpus was found: WHENCE_CLONES names a folder of their clones.";
  return `${scoreTable(scored)}\n\n${reliabilityTable(scored)}`;
}

async function scoredIn(half: Half, wanted: readonly Form[]): Promise<Scored[]> {
  const cases = pastedCases(half);
  const counts = Map.groupBy(cases, ({ language }) => language);
  const languageOf = (language: string): string =>
    (counts.get(language)?.length ?? 0) < casesMin ? "other languages" : language;
  const scored = await scoreCases(await inForms(cases, wanted));
  return scored.map((one) => ({ ...one, rca: { ...one.rca, language: languageOf(one.rca.language) } }));
}
