import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { firstRanked } from "@whence/engine/ranking";
import type { RecordedCase } from "../cases.ts";
import { foldOf, foldPath, foldsCount, readModel } from "../folds.ts";
import { codeForms, inForm } from "../forms.ts";
import { isRightFile } from "../score.ts";
import { type Answer, fitCalibrations } from "./fit-calibration.ts";

const shipped = join(import.meta.dirname, "../../../services/engine/src/rank/model.json");
const folds = Array.from({ length: foldsCount }, (_, fold) => fold);
/** Stacks that people pasted are what most errors without a service are; recorded cases were made for training. */
const weights: Readonly<Record<string, number>> = { pasted: 2 };
/** A language of fewer cases is calibrated together with others of these. */
const casesMin = 60;

type GroupedAnswer = Answer & { readonly group: string };

/**
 * Writes how sure the models' answers to texts are, from what those said that weren't trained on a case's group. A fold's
 * calibration isn't fitted to the answers of its own groups, either.
 */
export async function calibrateModels(cases: readonly RecordedCase[]): Promise<void> {
  const answers = await answersTo(cases);
  calibrate(shipped, answers);
  for (const fold of folds)
    calibrate(
      foldPath(fold),
      answers.filter(({ group }) => foldOf(group) !== fold),
    );
}

async function answersTo(cases: readonly RecordedCase[]): Promise<GroupedAnswer[]> {
  const models = folds.map((fold) => readModel(foldPath(fold)));
  const found: (GroupedAnswer & { readonly id: string })[] = [];
  for (const recorded of cases) {
    const model = models[foldOf(recorded.group)];
    for (const form of codeForms) {
      const { errorLog, files } = await inForm(recorded, form);
      const first = model ? await firstRanked(errorLog, files, model) : null;
      if (first === null) continue;
      const { share, sight, isThrown, file } = first;
      const weight = weights[recorded.corpus] ?? 1;
      found.push({
        id: recorded.id,
        group: recorded.group,
        share,
        sight,
        isThrown,
        isRight: isRightFile(recorded, file),
        weight,
      });
    }
  }
  const byLanguage = Map.groupBy(found, ({ sight }) => languageOf(sight));
  const isRare = (language: string): boolean => new Set(byLanguage.get(language)?.map(({ id }) => id)).size < casesMin;
  return found.map((one) => ({
    ...one,
    sight: isRare(languageOf(one.sight)) ? one.sight.replace(/^[^/]+/, "other") : one.sight,
  }));
}

function languageOf(sight: string): string {
  return sight.slice(0, sight.indexOf("/"));
}

function calibrate(path: string, answers: readonly Answer[]): void {
  writeFileSync(path, `${JSON.stringify({ ...readModel(path), texts: fitCalibrations(answers) })}\n`);
}
