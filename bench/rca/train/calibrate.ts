import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Departures, type FirstRanked, leastAhead, type MayBeFirst, mayBeFirst } from "@whence/engine/ranking";
import type { RecordedCase } from "../cases.ts";
import { foldOf, foldPath, foldsCount, readModel } from "../folds.ts";
import { codeForms, inForm } from "../forms.ts";
import { isRightFile, scoreCase } from "../score.ts";
import { type Answer, fitCalibrations } from "./fit-calibration.ts";
import { fitDepartures, type SeenDeparture } from "./fit-departures.ts";

const shipped = join(import.meta.dirname, "../../../services/engine/src/rank/model.json");
const folds = Array.from({ length: foldsCount }, (_, fold) => fold);
/** Stacks that people pasted are what most errors without a service are; recorded cases were made for training. */
const weights: Readonly<Record<string, number>> = { pasted: 2 };
/** What is pasted without more of its program is of any project; our own cases are whole programs, mostly services. */
const ownWithoutProgram = 0.5;
/** A language of fewer cases is calibrated together with others of these. */
const casesMin = 60;

/** What a model that wasn't trained on a case's group may answer to it. */
interface Answered {
  readonly recorded: RecordedCase;
  readonly sight: string;
  readonly may: MayBeFirst;
}

/**
 * Writes when the models leave the innermost call, and how sure their answers to texts are, from what those said that
 * weren't trained on a case's group. What a fold's model gets isn't fitted to the answers of its own groups, either.
 */
export async function calibrateModels(cases: readonly RecordedCase[]): Promise<void> {
  const answered = await answersTo(cases);
  calibrate(shipped, answered);
  for (const fold of folds)
    calibrate(
      foldPath(fold),
      answered.filter(({ recorded }) => foldOf(recorded.group) !== fold),
    );
}

async function answersTo(cases: readonly RecordedCase[]): Promise<Answered[]> {
  const models = folds.map((fold) => readModel(foldPath(fold)));
  const found: Answered[] = [];
  for (const recorded of cases) {
    const model = models[foldOf(recorded.group)];
    for (const form of codeForms) {
      const { errorLog, files } = await inForm(recorded, form);
      const may = model ? await mayBeFirst(errorLog, files, model) : null;
      if (may !== null) found.push({ recorded, sight: may.staying.sight, may });
    }
  }
  const byLanguage = Map.groupBy(found, ({ sight }) => languageOf(sight));
  const isRare = (language: string): boolean =>
    new Set(byLanguage.get(language)?.map(({ recorded }) => recorded.id)).size < casesMin;
  return found.map((one) => ({
    ...one,
    sight: isRare(languageOf(one.sight)) ? one.sight.replace(/^[^/]+/, "other") : one.sight,
  }));
}

function languageOf(sight: string): string {
  return sight.slice(0, sight.indexOf("/"));
}

function calibrate(path: string, answered: readonly Answered[]): void {
  const departures = fitDepartures(answered.flatMap((one) => [...fileDepartureIn(one), ...placeDeparturesIn(one)]));
  const texts = fitCalibrations(answered.map((one) => answerOf(one, departures)));
  writeFileSync(path, `${JSON.stringify({ ...readModel(path), departures, texts })}\n`);
}

function fileDepartureIn({ recorded, may: { staying, leaving } }: Answered): SeenDeparture[] {
  if (leaving === null) return [];
  const { where, timesLikelier } = leaving;
  const gain = Number(isRightFile(recorded, leaving.file)) - Number(isRightFile(recorded, staying.file));
  return [{ where, by: timesLikelier, gain, corpus: recorded.corpus, weight: weightOf(recorded) }];
}

/** Returns the place that was ahead of the innermost call in each file that may be first. */
function placeDeparturesIn({ recorded, may: { staying, leaving } }: Answered): SeenDeparture[] {
  const files = leaving === null || leaving.file === staying.file ? [staying] : [staying, leaving];
  return files.flatMap(({ place }) => {
    if (place === null) return [];
    const [best, innermost] = [place.best, place.innermost].map((one) =>
      Number(scoreCase(recorded, { ranked: [one] }).function1 ?? false),
    );
    const gain = (best ?? 0) - (innermost ?? 0);
    return [{ where: "place", by: place.lead, gain, corpus: recorded.corpus, weight: weightOf(recorded) }];
  });
}

function answerOf({ recorded, sight, may }: Answered, departures: Departures): Answer {
  const { share, isThrown, ownShare, knownLength, file } = firstBy(departures, may);
  return {
    share,
    sight,
    isThrown,
    ownShare,
    knownLength,
    isRight: isRightFile(recorded, file),
    weight: calibrationWeightOf(recorded, sight),
  };
}

/** Returns which of both is first by some thresholds. */
function firstBy(departures: Departures, { staying, leaving }: MayBeFirst): FirstRanked {
  if (leaving === null) return staying;
  return leaving.timesLikelier >= leastAhead(departures, leaving.where) ? leaving : staying;
}

function weightOf({ corpus }: RecordedCase): number {
  return weights[corpus] ?? 1;
}

function calibrationWeightOf(recorded: RecordedCase, sight: string): number {
  return recorded.corpus === "own" && !sight.endsWith("/wider") ? ownWithoutProgram : weightOf(recorded);
}
