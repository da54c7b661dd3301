import { codeForms, type Form } from "./forms.ts";
import type { Scored } from "./score-cases.ts";
import { chanceOfLosing } from "./sign-test.ts";
import { strataOf } from "./strata.ts";

const measures = ["file1", "file3", "function1"] as const;
/** A loss that is less probable than this by chance isn't explained by it. */
const chanceMin = 0.05;

/**
 * Returns the figures that more files lower by more than chance explains, as sentences. Each form gives the files of the
 * ones before it, and more; the same cases are compared.
 */
export function loweredByFiles(scored: readonly Scored[]): string[] {
  const rows = Map.groupBy(strataOf(scored), ({ language, name }) => `${language}, ${name}`);
  return [...rows].flatMap(([row, strata]) => {
    const membersOf = new Map(strata.map(({ form, members }) => [form, members]));
    return pairs.flatMap(([fewer, more]) =>
      lossesBetween(membersOf.get(fewer) ?? [], membersOf.get(more) ?? []).map(
        (loss) => `${row}, from ${fewer} to ${more}: ${loss}`,
      ),
    );
  });
}

const pairs: readonly (readonly [fewer: Form, more: Form])[] = codeForms.flatMap((fewer, index) =>
  codeForms.slice(index + 1).map((more) => [fewer, more] as const),
);

function lossesBetween(fewer: readonly Scored[], more: readonly Scored[]): string[] {
  const withMore = new Map(more.map((one) => [one.rca.id, one.engine]));
  return measures.flatMap((measure) => {
    const differing = fewer.flatMap(({ rca, engine }) => {
      const other = withMore.get(rca.id);
      return other === undefined || engine[measure] === other[measure] ? [] : [other[measure] === true];
    });
    const won = differing.filter(Boolean).length;
    const lost = differing.length - won;
    if (lost <= won || chanceOfLosing(lost, won) >= chanceMin) return [];
    return [`${measure}: ${lost} lost, ${won} won, of ${fewer.length}`];
  });
}
