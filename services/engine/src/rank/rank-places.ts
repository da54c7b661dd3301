import type { Findings } from "../findings/findings.ts";
import { isUnhandledRejection } from "../findings/unhandled-rejection.ts";
import type { SeenPlaces } from "../findings/verdict.ts";
import type { PlaceSubject } from "../signals/subject.ts";
import type { SourceText } from "../source/source-text.ts";
import type { Traced } from "../trace/traced.ts";
import { withChangedPlaces } from "./changed-places.ts";
import { decisiveSignals, withDecisivePlaces, withNamedFiles } from "./decisive-signals.ts";
import { isThrownIn, knownLengthOf, ownShareOf } from "./failure-features.ts";
import { type FilePlace, placesIn } from "./file-places.ts";
import { type FailureView, type FileView, viewFailure } from "./file-view.ts";
import { calibrate, evaluate, leastAhead, type RankingModel, withOdds } from "./model.ts";
import { withOutsideValues } from "./outside-values.ts";
import { rankFiles } from "./rank-files.ts";
import { notRefuted, withoutRefuted, withSeenOrigin } from "./seen-places.ts";
import { sightOf, sightOfOtherLanguage, viewOf } from "./sight.ts";

/** A place in code, and the probability that its file is the one to change. */
export interface RankedPlace {
  readonly subject: PlaceSubject;
  readonly view: FileView;
  readonly probability: number;
}

/** Returns the strongest place of each file, the most likely file first. */
export function rankPlaces(
  { error, event, changes = [], verdicts }: Pick<Findings, "error" | "event" | "changes" | "verdicts">,
  traced: Traced,
  given: readonly SourceText[],
  model: RankingModel,
): RankedPlace[] {
  const failure = viewFailure(error, traced, given);
  const seen = decisiveSignals(traced.signals, isUnhandledRejection(error, event));
  const decisive = withSeenOrigin(withChangedPlaces(seen, changes, failure.files), verdicts);
  const ranked = withOutsideValues(rankFiles(failure, model), traced, event);
  const left = withoutRefuted(ranked, verdicts, ({ view }) => placesIn(view, failure));
  const files = withDecisivePlaces(withNamedFiles(left, decisive), decisive);
  const calibrations = event === null ? model.texts : model;
  const calibration = ofSight(failure, calibrations.calibrations) ?? calibrations.calibration;
  const [first] = files;
  const added = event === null && first ? addedOdds(first.view, failure, model.texts) : 0;
  const certainty = withOdds(calibrate(calibration, first?.probability ?? 0), added);
  // How often files are right is known of those that came first: another one isn't likelier than in proportion to it.
  const proportion = first && first.probability > 0 ? certainty / first.probability : 0;
  return files.map(({ view, probability }, rank) => {
    const known = decisive.get(view.name)?.subject;
    return {
      view,
      subject: known
        ? { ...known, ...likelyLine(view, failure, model, verdicts), source: known.source ?? view.source }
        : bestPlace(view, failure, model, verdicts),
      probability:
        rank === 0 ? certainty : Math.min(certainty, calibrate(calibration, probability), probability * proportion),
    };
  });
}

/** Returns what is added to the logarithm of the odds that the first file is right, by the stack of a text. */
function addedOdds(
  first: FileView,
  failure: FailureView,
  { thrown, ownShare, knownLength }: RankingModel["texts"],
): number {
  return (
    (isThrownIn(first, failure) ? thrown : 0) +
    (ofSight(failure, ownShare) ?? 0) * ownShareOf(failure) +
    (knownLength[viewOf(sightOf(failure))] ?? 0) * knownLengthOf(first, failure)
  );
}

/** Returns what is known for what is seen of a failure; where that is rare, for other languages. */
function ofSight<T>(failure: FailureView, known: Readonly<Record<string, T>>): T | undefined {
  const sight = sightOf(failure);
  return known[sight] ?? known[sightOfOtherLanguage(sight)];
}

/** Returns the line that scores highest in the function that is likely by what was seen; nothing where that has none. */
function likelyLine(
  view: FileView,
  failure: FailureView,
  model: RankingModel,
  verdicts: SeenPlaces | undefined,
): Pick<PlaceSubject, "line"> | undefined {
  if (!verdicts?.likelyPlace || verdicts.originPlace) return undefined;
  const inside = placesIn(view, failure).filter(({ line }) => verdicts.isLikely({ file: view.name, line }));
  const line = bestScored(inside, model)?.place.line;
  return line ? { line } : undefined;
}

function bestPlace(
  view: FileView,
  failure: FailureView,
  model: RankingModel,
  verdicts: SeenPlaces | undefined,
): PlaceSubject {
  const places = notRefuted(view.name, placesIn(view, failure), verdicts);
  const departure = departureAmong(places, model);
  const isAhead = departure === null || departure.lead >= leastAhead(model.departures, "place");
  const place = isAhead ? bestScored(places, model)?.place : departure.innermost;
  return {
    kind: "place",
    file: view.name,
    line: place?.line ?? null,
    function: place?.function ?? null,
    source: view.source,
  };
}

/** A place that scores higher than the innermost call in its file, and by how much. */
interface PlaceDeparture {
  readonly best: FilePlace;
  readonly innermost: FilePlace;
  readonly lead: number;
}

/** Returns the place in a file that scores highest, if that isn't the innermost call there; otherwise null. */
export function departureAmong(places: readonly FilePlace[], model: RankingModel): PlaceDeparture | null {
  const best = bestScored(places, model);
  const innermost = places.find(({ isInnermost }) => isInnermost);
  // What is wrong in itself needs no lead.
  if (!best || !innermost || best.place === innermost || best.place.isOrigin) return null;
  return { best: best.place, innermost, lead: best.score - evaluate(model.place, innermost.features) };
}

/** Where there is a call in the file, only what a signal leads to can come before it. */
function bestScored(
  all: readonly FilePlace[],
  model: RankingModel,
): { readonly place: FilePlace; readonly score: number } | undefined {
  const hasCall = all.some(({ isInnermost }) => isInnermost);
  const places = hasCall ? all.filter(({ isInnermost, isLed }) => isInnermost || isLed) : all;
  const origins = places.filter(({ isOrigin }) => isOrigin);
  const telling = places.filter(({ isTakenIn }) => !isTakenIn);
  const considered = [origins, telling, places].find((some) => some.length > 0) ?? [];
  const scored = considered.map((place) => ({ place, score: evaluate(model.place, place.features) }));
  return scored.toSorted((left, right) => right.score - left.score)[0];
}
