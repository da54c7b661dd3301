import { signalFeatures } from "../signals/code/ranking-features.ts";
import type { CodeSignal } from "../signals/signal.ts";
import type { Composition } from "../source/constructs.ts";
import type { SourceText } from "../source/source-text.ts";
import { compositionFeatures } from "./composition-features.ts";
import type { FailureView, FileView } from "./file-view.ts";
import { sliceFeatures } from "./slice-features.ts";
import { stackFeatures } from "./stack-features.ts";
import { identifiersIn, sharedWords } from "./words.ts";

/** How many frames have their functions searched for calls. */
const callingFramesMax = 4;
const linesRead = 3;
const importsMax = 6;
const dataFile = /\.(?:json5?|ya?ml|toml|ini|env|cfg|conf|xml|csv|properties|txt|md)$/i;

/**
 * Returns the features that tie each file to the failure: its place on the stack, imports and calls, words, and
 * signals.
 */
export function fileFeatures(failure: FailureView): Map<FileView, Record<string, number>> {
  const stackFiles = [...new Set(failure.stack.map(({ view }) => view))];
  const relation = relationsOf(failure, stackFiles);
  const wanted = wantedWords(failure);
  const trail = onTrails(failure.files);
  const slice = sliceFeatures(failure.files);
  return new Map(
    failure.files.map((view) => [
      view,
      {
        ...stackFeatures(view, failure, stackFiles),
        ...shape(view),
        ...relation(view),
        messageWords: sharedWords(wanted.message, view.words, failure.rarity),
        lineWords: sharedWords(wanted.line, view.words, failure.rarity),
        functionWords: sharedWords(wanted.function, view.words, failure.rarity),
        memberWritten: Number(wanted.members.some((name) => isWritten(view.source, name))),
        ...trail(view),
        ...slice(view),
        ...compositionFeatures(view, failure),
        evidence: Math.log1p(evidenceIn(view)),
        signals: Math.log1p(view.signals.length),
        ...signalFeatures("file", view.signals),
      },
    ]),
  );
}

/** Returns how many signals lead from the failure to a file. A promise that nothing awaits is noted wherever there is one. */
export function evidenceIn({ signals }: FileView): number {
  return signals.filter(({ kind }) => kind !== "missing-await").length;
}

/** Returns how a file is tied to those on the stack by imports and calls. */
function relationsOf(
  failure: FailureView,
  stackFiles: readonly FileView[],
): (view: FileView) => Record<string, number> {
  const top = stackFiles[0];
  const fromTop = distances(failure, top ? [top] : []);
  const fromStack = distances(failure, stackFiles.slice(0, callingFramesMax));
  const called = calledFrom(failure);
  const importers = new Map<string, number>();
  for (const { code } of failure.files)
    for (const { name } of code?.imports ?? []) importers.set(name, (importers.get(name) ?? 0) + 1);
  return (view) => ({
    importedFromTop: near(fromTop.get(view.name)),
    importedFromStack: near(fromStack.get(view.name)),
    importsTop: Number(view.code?.imports.some(({ name }) => name === top?.name) ?? false),
    importsStack: view.code?.imports.filter(({ name }) => stackFiles.some((file) => file.name === name)).length ?? 0,
    importers: Math.log1p(importers.get(view.name) ?? 0),
    calledFromStack: called(view),
  });
}

function distances({ files }: FailureView, from: readonly FileView[]): Map<string, number> {
  const imports = new Map(files.map(({ name, code }) => [name, code?.imports ?? []]));
  const found = new Map<string, number>(from.map(({ name }) => [name, 0]));
  let edge = from.map(({ name }) => name);
  for (let distance = 1; distance <= importsMax && edge.length > 0; distance++) {
    const next: string[] = [];
    for (const name of edge)
      for (const { name: imported } of imports.get(name) ?? [])
        if (!found.has(imported)) {
          found.set(imported, distance);
          next.push(imported);
        }
    edge = next;
  }
  return found;
}

function near(distance: number | undefined): number {
  return distance === undefined ? 0 : 1 / (1 + distance);
}

/** Returns whether functions on the stack call one that the file defines and few other files do. */
function calledFrom({ files, stack }: FailureView): (view: FileView) => number {
  const definitions = new Map<string, number>();
  for (const { code } of files)
    for (const name of new Set(code?.functions.flatMap((one) => one.name ?? [])))
      definitions.set(name, (definitions.get(name) ?? 0) + 1);
  return (view) => {
    const own = new Set(view.code?.functions.flatMap(({ name }) => name ?? []) ?? []);
    let best = 0;
    for (const [rank, entry] of stack.slice(0, callingFramesMax).entries()) {
      if (entry.view === view) continue;
      for (const name of entry.function?.calls ?? [])
        if (own.has(name)) best = Math.max(best, 1 / (1 + rank) / (definitions.get(name) ?? 1));
    }
    return best;
  };
}

function shape({ name, source, code }: FileView): Record<string, number> {
  return {
    isData: Number(dataFile.test(name)),
    size: Math.log1p(code ? constructsIn(code.composition) : (source?.text.length ?? 0)),
    functions: Math.log1p(code?.functions.length ?? 0),
  };
}

/** The size of code: unlike its length, no comment makes it larger. */
function constructsIn(composition: Composition): number {
  return [...composition.values()].reduce((sum, count) => sum + count, 0);
}

interface Wanted {
  readonly message: ReadonlySet<string>;
  readonly line: ReadonlySet<string>;
  readonly function: ReadonlySet<string>;
  readonly members: readonly string[];
}

/**
 * Returns the words that the failure is about: those of its message, and of the lines and function at the top of the
 * stack.
 */
function wantedWords({ error, stack, signals }: FailureView): Wanted {
  const messages = error.chain.map((index) => error.exceptions[index]?.message ?? "").join("\n");
  const lines = stack
    .slice(0, linesRead)
    .flatMap(({ frame: { place } }) => (place ? [place.source.line(place.line)] : []));
  const top = stack.find((entry) => entry.function !== null);
  const body = top?.view.source && top.function ? top.view.source.text.slice(top.function.start, top.function.end) : "";
  const members = signals.flatMap((signal) =>
    signal.kind === "bad-value" && signal.args.member !== null ? [signal.args.member] : [],
  );
  return {
    message: identifiersIn(messages),
    line: identifiersIn(lines.join("\n")),
    function: identifiersIn(body),
    members: members.filter((name) => /^[A-Za-z_$][\w$]*$/.test(name)),
  };
}

/** Returns whether the text assigns a property or variable of this name. */
function isWritten(source: SourceText | null, name: string): boolean {
  if (!source) return false;
  return new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}["']?\\s*(?::|=(?![=>]))`).test(source.text);
}

type ValueStep = CodeSignal<"value-step">;

/** Returns the position of each file on the trails of all: how early they reach it, and how much of them is in it. */
function onTrails(files: readonly FileView[]): (view: FileView) => Record<string, number> {
  const steps = new Map(files.map((view) => [view, view.signals.filter((signal) => signal.kind === "value-step")]));
  const reached = files.flatMap((view) => {
    const own = steps.get(view) ?? [];
    return own.length > 0 ? [{ view, nearest: Math.min(...own.map((step) => step.steps)) }] : [];
  });
  const order = reached.toSorted((left, right) => left.nearest - right.nearest).map(({ view }) => view);
  const all = [...steps.values()].flat();
  const share = (isIt: (step: ValueStep) => boolean, own: readonly ValueStep[]): number =>
    own.filter(isIt).length / Math.max(1, all.filter(isIt).length);
  return (view) => {
    const own = steps.get(view) ?? [];
    const rank = order.indexOf(view);
    return {
      trailRank: rank < 0 ? 0 : 1 / (1 + rank),
      trailFiles: order.length,
      stepShare: share(() => true, own),
      endShare: share(({ isEnd }) => isEnd, own),
    };
  };
}
