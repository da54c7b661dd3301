import { type Form, inForms } from "../forms.ts";
import { reliabilityTable } from "../reliability.ts";
import { type Scored, scoreCases } from "../score-cases.ts";
import { scoreTable } from "../strata.ts";
import { type Half, halves } from "./pasted-case.ts";
import { pastedCases } from "./pasted-cases.ts";

/** Languages with too few cases to be scored alone are scored together. */
const casesMin = 40;

/** The scores of each half, whose repositories train nothing. */
export async function pastedTables(wanted: readonly Form[]): Promise<string> {
  const tables: string[] = [];
  for (const half of halves) tables.push(`${half}\n${await tablesOf(half, wanted)}`);
  return tables.join("\n\n");
}

async function tablesOf(half: Half, wanted: readonly Form[]): Promise<string> {
  const cases = pastedCases(half);
  if (cases.length === 0) return "No repository of the corpus was found: WHENCE_CLONES names a folder of their clones.";
  const counts = Map.groupBy(cases, ({ language }) => language);
  const languageOf = (language: string): string =>
    (counts.get(language)?.length ?? 0) < casesMin ? "other languages" : language;
  const scored = (await scoreCases(await inForms(cases, wanted))).map(
    (one): Scored => ({ ...one, rca: { ...one.rca, language: languageOf(one.rca.language) } }),
  );
  return `${scoreTable(scored)}\n\n${reliabilityTable(scored)}`;
}
