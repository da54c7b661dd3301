import { packageOf } from "../source/installed-package.ts";
import { evidenceIn } from "./file-features.ts";
import type { FailureView, FileView } from "./file-view.ts";
import { nonDecreasing } from "./isotonic.ts";
import type { RankingModel } from "./model.ts";
import type { RankedFile } from "./ranked-file.ts";
import { sightOf } from "./sight.ts";
import { testFile } from "./stack-features.ts";

/**
 * How much likelier than the project's innermost file another one must be to come before it, in a language with enough
 * recorded failures for the model to know.
 */
const timesLikelierMin = 2;

/**
 * Limits how far the model may depart from the order of the stack, which is hard to beat: people who only open the
 * innermost file of their project are right more often than not.
 */
export function inStackOrder(
  ranked: readonly RankedFile[],
  failure: FailureView,
  { calibrations }: Pick<RankingModel, "calibrations">,
): readonly RankedFile[] {
  if (failure.files.every(({ source }) => source === null)) return byOwner(ranked, failure);
  const isRecorded = calibrations[sightOf(failure)] !== undefined;
  return withInnermostFirst(ranked, failure, isRecorded ? timesLikelierMin : Number.POSITIVE_INFINITY);
}

/**
 * Puts the files of the package that most likely failed first, the innermost before the others, then those of the next.
 * The model decides whose failure it is. Which of its files it is, a trace alone tells no better than by its order, so
 * files that the model would have the other way around are equally likely.
 */
function byOwner(ranked: readonly RankedFile[], { stack }: FailureView): readonly RankedFile[] {
  const positions = new Map([...new Set(stack.map(({ view }) => view))].map((view, index) => [view, index]));
  const position = ({ view }: RankedFile): number => positions.get(view) ?? positions.size;
  const isTest = ({ view }: RankedFile): number => Number(testFile.test(view.name));
  const inOrder = ranked.toSorted((one, other) => isTest(one) - isTest(other) || position(one) - position(other));
  const owners = [...Map.groupBy(inOrder, ({ view }) => ownerOf(view)).values()];
  const highest = (files: readonly RankedFile[]): number => Math.max(...files.map(({ probability }) => probability));
  const ordered = owners.toSorted((one, other) => highest(other) - highest(one)).flat();
  const probabilities = nonDecreasing(
    ordered.toReversed().map(({ probability }) => ({ value: probability, weight: 1 })),
  );
  return ordered.map(({ view }, index) => ({ view, probability: probabilities.at(-1 - index) ?? 0 }));
}

/** Returns the installed package that a file is printed to be in; empty for the application. */
function ownerOf({ name, frames }: FileView): string {
  return packageOf(frames[0]?.frame.file ?? name);
}

/**
 * Puts the project's innermost file first unless a signal leads off the stack to another one, or another one is clearly
 * likelier: both are then about as likely. Most files of a project have some words in common with any failure.
 */
function withInnermostFirst(
  ranked: readonly RankedFile[],
  { stack, project }: FailureView,
  timesMin: number,
): readonly RankedFile[] {
  const [first, ...rest] = ranked.toSorted((one, other) => other.probability - one.probability);
  const innermost = stack.find(({ view }) => project.has(view.name))?.view;
  const own = rest.find(({ view }) => view === innermost);
  if (!first || !own || isLedTo(first.view) || first.probability >= timesMin * own.probability) return ranked;
  const probability = (first.probability + own.probability) / 2;
  const others = rest.filter((file) => file !== own);
  return [{ view: own.view, probability }, { view: first.view, probability }, ...others];
}

function isLedTo(view: FileView): boolean {
  return view.frames.length === 0 && evidenceIn(view) > 0;
}
