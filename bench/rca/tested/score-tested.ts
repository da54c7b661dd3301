import { type Form, inForms } from "../forms.ts";
import { halves } from "../pasted/pasted-case.ts";
import { reliabilityTable } from "../reliability.ts";
import { type Scored, scoreCases } from "../score-cases.ts";
import { scoreTable } from "../strata.ts";
import { testedCases } from "./tested-cases.ts";

/** The scores of each half, and of both together; the answers that were wrong of the half that may be read. */
export async function testedTables(
  wanted: readonly Form[],
  misses: (scored: readonly Scored[]) => void,
): Promise<string> {
  const tables: string[] = [];
  const all: Scored[] = [];
  for (const half of halves) {
    const scored = await scoreCases(await inForms(await testedCases(half), wanted));
    if (half === "development") misses(scored);
    tables.push(`${half}\n${scoreTable(scored)}\n\n${reliabilityTable(scored)}`);
    all.push(...scored);
  }
  return [...tables, `both\n${scoreTable(all)}\n\n${reliabilityTable(all)}`].join("\n\n");
}
