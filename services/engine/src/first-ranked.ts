import type { FileContent } from "@whence/protocol";
import { parseText } from "./parse/parse.ts";
import { isThrownIn } from "./rank/failure-features.ts";
import { viewFailure } from "./rank/file-view.ts";
import type { Calibration, RankingModel } from "./rank/model.ts";
import { rankPlaces } from "./rank/rank-places.ts";
import { sightOf } from "./rank/sight.ts";
import { SourceText } from "./source/source-text.ts";
import { traceError } from "./trace/trace-error.ts";

/** The file that a ranking puts first. */
export interface FirstRanked {
  readonly file: string;
  /** Its share of the probability, from 0 to 1, as it is before the calibration. */
  readonly share: number;
  /** The language and what is seen of the code, which it is calibrated by. */
  readonly sight: string;
  /** Whether the error is thrown in it, instead of raised by the runtime there. */
  readonly isThrown: boolean;
}

const uncalibrated: Calibration = { probability: [0, 1], share: [0, 1] };

/** Returns the file that a model puts first, for its calibration; null without a file. */
export async function firstRanked(
  errorLog: string,
  attached: readonly FileContent[],
  model: RankingModel,
): Promise<FirstRanked | null> {
  const error = parseText(errorLog, attached);
  const sources = attached.map(({ name, content }) => new SourceText("source_file", name, content));
  const traced = await traceError(error, null, sources);
  const plain = { ...model, texts: { calibration: uncalibrated, calibrations: {}, thrown: 0 } };
  const [first] = rankPlaces({ error, event: null }, traced, sources, plain);
  if (!first) return null;
  const failure = viewFailure(error, traced, sources);
  return {
    file: first.subject.file,
    share: first.probability,
    sight: sightOf(failure),
    isThrown: isThrownIn(first.view, failure),
  };
}
