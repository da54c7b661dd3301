import type { FileContent } from "@whence/protocol";
import { parseText } from "./parse/parse.ts";
import { isThrownIn, knownLengthOf, ownShareOf } from "./rank/failure-features.ts";
import { placesIn } from "./rank/file-places.ts";
import { type FailureView, viewFailure } from "./rank/file-view.ts";
import type { Calibration, RankingModel } from "./rank/model.ts";
import { likelyFiles } from "./rank/rank-files.ts";
import { departureAmong, type RankedPlace, rankPlaces } from "./rank/rank-places.ts";
import { sightOf } from "./rank/sight.ts";
import { departureIn, type Elsewhere } from "./rank/stack-order.ts";
import { SourceText } from "./source/source-text.ts";
import { traceError } from "./trace/trace-error.ts";

/** A place that a ranking may name. */
export interface NamedPlace {
  readonly file: string;
  readonly line: number | null;
  readonly function: string | null;
}

/** The file that a ranking puts first. */
export interface FirstRanked {
  readonly file: string;
  /** Its share of the probability, from 0 to 1, as it is before the calibration. */
  readonly share: number;
  /** The language and what is seen of the code, which it is calibrated by. */
  readonly sight: string;
  /** Whether the error is thrown in it, instead of raised by the runtime there. */
  readonly isThrown: boolean;
  /** The share of the stack's calls that are the project's, from 0 to 1. */
  readonly ownShare: number;
  /** How long it is at least: the logarithm, to base 2, of its lines. */
  readonly knownLength: number;
  /** The place in it that scores higher than its innermost call, and by how much; null where none does. */
  readonly place: { readonly best: NamedPlace; readonly innermost: NamedPlace; readonly lead: number } | null;
}

/** What a ranking may put first. */
export interface MayBeFirst {
  /** What is first if no file may come before the project's innermost one. */
  readonly staying: FirstRanked;
  /** What is first if a likelier file comes before it, however little likelier; null where there is none. */
  readonly leaving: (FirstRanked & { readonly where: Elsewhere; readonly timesLikelier: number }) | null;
}

const uncalibrated: Calibration = { probability: [0, 1], share: [0, 1] };
const everywhere = ["origin", "led", "unled", "caller", "called"] as const satisfies readonly Elsewhere[];

/** Returns what a model may put first, for what is fitted to its answers; null without a file. */
export async function mayBeFirst(
  errorLog: string,
  attached: readonly FileContent[],
  model: RankingModel,
): Promise<MayBeFirst | null> {
  const error = parseText(errorLog, attached);
  const sources = attached.map(({ name, content }) => new SourceText("source_file", name, content));
  const traced = await traceError(error, null, sources);
  const failure = viewFailure(error, traced, sources);
  const firstFrom = (timesLikelier: number): FirstRanked | null => {
    const departures = Object.fromEntries(everywhere.map((where) => [where, timesLikelier]));
    const texts = { calibration: uncalibrated, calibrations: {}, thrown: 0, ownShare: {}, knownLength: {} };
    const plain = { ...model, texts, departures };
    const [first] = rankPlaces({ error, event: null }, traced, sources, plain);
    return first ? firstRanked(first, failure, model) : null;
  };
  const staying = firstFrom(Number.POSITIVE_INFINITY);
  const leaving = firstFrom(1);
  if (!staying || !leaving) return null;
  const departure = departureIn(likelyFiles(failure, model), failure);
  const { where, timesLikelier } = departure ?? {};
  return { staying, leaving: where && timesLikelier ? { ...leaving, where, timesLikelier } : null };
}

function firstRanked({ view, probability }: RankedPlace, failure: FailureView, model: RankingModel): FirstRanked {
  const departure = departureAmong(placesIn(view, failure), model);
  const named = (place: Omit<NamedPlace, "file">): NamedPlace => ({
    file: view.name,
    line: place.line,
    function: place.function,
  });
  return {
    file: view.name,
    share: probability,
    sight: sightOf(failure),
    isThrown: isThrownIn(view, failure),
    ownShare: ownShareOf(failure),
    knownLength: knownLengthOf(view, failure),
    place: departure && {
      best: named(departure.best),
      innermost: named(departure.innermost),
      lead: departure.lead,
    },
  };
}
