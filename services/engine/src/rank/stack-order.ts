import { origins } from "../signals/code/value-sources.ts";
import { decisiveWeight, isOrigin } from "../signals/signal.ts";
import { packageOf } from "../source/installed-package.ts";
import { isTestOnStack } from "../source/test-file.ts";
import { evidenceIn } from "./file-features.ts";
import type { FailureView, FileView } from "./file-view.ts";
import { nonDecreasing } from "./isotonic.ts";
import { type Departures, leastAhead } from "./model.ts";
import type { RankedFile } from "./ranked-file.ts";
import { isModuleLevel } from "./stack-features.ts";

/**
 * Where a file is that is likelier than the project's innermost one: off the stack, where a trail ends at something
 * wrong in itself, another signal leads to it, or nothing does, a caller, or elsewhere on the stack.
 */
export type Elsewhere = "origin" | "led" | "unled" | "caller" | "called";

/** A file that is likelier than the project's innermost one, and may come before it. */
export interface FileDeparture {
  readonly first: FileView;
  readonly innermost: FileView;
  readonly where: Elsewhere;
  readonly timesLikelier: number;
}

/**
 * From so many given files on, a caller, or a file that nothing leads to, has to be far likelier to come first: one of
 * them has something in common with any failure.
 */
const manyFilesMin = 16;
/**
 * How much likelier. By models that hadn't seen the case, of 41 such files 14 were right in our own cases and in mined
 * ones, and the innermost file in 5; of 11 in a fifth of the pasted stacks, 4 and none. Of 42 less likely ones, it was
 * 8 and 18. These include files that a signal leads to, to which the limit doesn't apply: among the files of other
 * services, of 44 such ones that are less likely 12 were right, and the innermost file in 7.
 */
const timesLikelierAmongMany = 4;
/** Where a file may be that is less likely than that, and first nevertheless. */
const freeAmongMany: ReadonlySet<Elsewhere> = new Set(["called", "led", "origin"]);

/** Returns whether so many files were given that one of them has something in common with any failure. */
export function hasManyFiles({ files }: FailureView): boolean {
  return files.filter(({ source }) => source !== null).length >= manyFilesMin;
}

/**
 * Limits how far the model may depart from the order of the stack, which is hard to beat: people who only open the
 * innermost file of their project are right more often than not.
 */
export function inStackOrder(
  ranked: readonly RankedFile[],
  failure: FailureView,
  departures: Departures,
): readonly RankedFile[] {
  return failure.files.every(({ source }) => source === null)
    ? byOwner(ranked, failure)
    : withInnermostFirst(ranked, failure, departures);
}

/**
 * Puts the files of the package that most likely failed first, the innermost before the others, then those of the next.
 * A manifest says whose failure it is; without one, the model decides. Which of its files it is, a trace alone tells no
 * better than by its order, so files that the model would have the other way around are equally likely. Libraries that
 * many programs use come last: a guard of theirs throws what a caller did.
 */
function byOwner(ranked: readonly RankedFile[], { stack, project }: FailureView): readonly RankedFile[] {
  const positions = new Map([...new Set(stack.map(({ view }) => view))].map((view, index) => [view, index]));
  const position = ({ view }: RankedFile): number => positions.get(view) ?? positions.size;
  const isTest = ({ view }: RankedFile): number => Number(isTestOnStack(view.name));
  const inOrder = ranked.toSorted((one, other) => isTest(one) - isTest(other) || position(one) - position(other));
  const owned = Map.groupBy(inOrder, ({ view }) =>
    project.isNamed && project.has(view.name) ? namedProject : ownerOf(view),
  );
  const own = owned.get(namedProject) ?? [];
  owned.delete(namedProject);
  const known = owned.get(knownLibraries) ?? [];
  owned.delete(knownLibraries);
  const highest = (files: readonly RankedFile[]): number => Math.max(...files.map(({ probability }) => probability));
  const program = owned.get(application) ?? [];
  const isFirst = (files: readonly RankedFile[]): number => Number(files === program && isProgram(program));
  const owners = [...owned.values()].toSorted(
    (one, other) => isFirst(other) - isFirst(one) || highest(other) - highest(one),
  );
  return asLikelyInOrder([...own, ...owners.flat(), ...known]);
}

/** So many files of an application on a stack are more than a script that shows how a library fails. */
const programFilesMin = 3;
/** The same where none of them runs outside a function, as a script does. */
const calledFilesMin = 2;

/** Returns whether files are of an application in which a library failed, which then is whose failure it is. */
function isProgram(files: readonly RankedFile[]): boolean {
  const program = files.filter(({ view }) => !isTestOnStack(view.name));
  const isScript = program.some(({ view }) => view.frames.some(isModuleLevel));
  return program.length >= (isScript ? programFilesMin : calledFilesMin);
}

/** The owner of the project whose manifest was given. */
const namedProject = "named project";
/** The owner of libraries that are known by the names of their packages, as the JVM prints no folders. */
const knownLibraries = "known libraries";
/** The owner of files in no package. */
const application = "";

/** Returns the installed package that a file is printed to be in; empty for the application. */
function ownerOf({ name, frames: [first] }: FileView): string {
  return packageOf(first?.frame.file ?? name) || (first?.frame.origin === "dependency" ? knownLibraries : application);
}

/**
 * Puts the project's innermost file first, tests aside, unless another one is clearly likelier, or a signal leads off the
 * stack to it: all that were likelier are then about as likely. Most files of a project have some words in common with
 * any failure.
 */
function withInnermostFirst(
  ranked: readonly RankedFile[],
  failure: FailureView,
  departures: Departures,
): readonly RankedFile[] {
  const { first, own, rest } = mostLikelyOf(ranked, failure);
  if (!first || !own) return ranked;
  const departure = departureFrom(own, first, failure);
  if (departure && departure.timesLikelier >= leastAhead(departures, departure.where)) return ranked;
  return asLikelyInOrder([own, first, ...rest.filter((file) => file !== own)]);
}

/** Returns the most likely file and, if that is another one, the project's innermost. */
function mostLikelyOf(
  ranked: readonly RankedFile[],
  failure: FailureView,
): { first: RankedFile | undefined; own: RankedFile | undefined; rest: readonly RankedFile[] } {
  const [first, ...rest] = ranked.toSorted((one, other) => other.probability - one.probability);
  const innermost = innermostOf(failure);
  return { first, own: rest.find(({ view }) => view === innermost), rest };
}

/** Returns the most likely file if that isn't the project's innermost one, but may come before it; otherwise null. */
export function departureIn(ranked: readonly RankedFile[], failure: FailureView): FileDeparture | null {
  const { first, own } = mostLikelyOf(ranked, failure);
  return first && own ? departureFrom(own, first, failure) : null;
}

/** Whether the client says that a file on the stack isn't the program's own. */
function isDisowned({ frames }: FileView): boolean {
  return frames.length > 0 && frames.every(({ frame }) => frame.disowned);
}

/**
 * Whether a signal other than a throw or the words of the message leads to a file. Behind a deliberate throw, the value
 * that it checks has to originate in the file: one that is passed in comes from the caller.
 */
function makesBadValue({ signals }: FileView): boolean {
  const isGuard = signals.some(({ kind }) => kind === "deliberate-throw");
  return signals.some((signal) => {
    if (signal.kind === "value-step") return !isGuard || (signal.isEnd && origins.has(signal.args.how));
    if (signal.kind === "bad-value" || isOrigin(signal)) return true;
    return decisiveWeight(signal, { isUnhandledRejection: false }) > 0;
  });
}

/** Returns the project's innermost file, tests aside. Of a stack, people give the files that are theirs. */
function innermostOf({ stack, project }: FailureView): FileView | undefined {
  const ofProject = stack.flatMap(({ view }) => (project.has(view.name) ? [view] : []));
  const given = ofProject.filter(({ name, source }) => source !== null && packageOf(name) === "");
  const known = given.length > 0 ? given : ofProject;
  return known.find(({ name }) => !isTestOnStack(name)) ?? known[0];
}

function departureFrom(own: RankedFile, { view, probability }: RankedFile, failure: FailureView): FileDeparture | null {
  if (isDisowned(view) && !isDisowned(own.view) && !makesBadValue(view)) return null;
  // What only the stack names has none of the features of code, and isn't likelier for that.
  if (view.source === null && own.view.source !== null && !isTestOnStack(own.view.name)) return null;
  const where = whereIs(view, own.view, failure);
  const timesLikelier = probability / own.probability;
  if (!freeAmongMany.has(where) && hasManyFiles(failure) && timesLikelier < timesLikelierAmongMany) return null;
  return { first: view, innermost: own.view, where, timesLikelier };
}

function whereIs(view: FileView, own: FileView, { stack }: FailureView): Elsewhere {
  if (view.frames.length === 0) return view.signals.some(isOrigin) ? "origin" : evidenceIn(view) > 0 ? "led" : "unled";
  const views = stack.map((entry) => entry.view);
  return views.indexOf(view) > views.indexOf(own) ? "caller" : "called";
}

/** Keeps an order: where the model has files the other way around, they are equally likely. */
function asLikelyInOrder(files: readonly RankedFile[]): readonly RankedFile[] {
  const fromLast = files.toReversed().map(({ probability }) => ({ value: probability, weight: 1 }));
  const probabilities = nonDecreasing(fromLast);
  return files.map(({ view }, index) => ({ view, probability: probabilities.at(-1 - index) ?? 0 }));
}
