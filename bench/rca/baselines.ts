import { importedPaths, PathIndex } from "@whence/engine";
import { isInstalled, pathIn } from "./case-tree.ts";
import type { RcaCase } from "./cases.ts";
import { framesOf, type PrintedFrame } from "./frames.ts";
import type { Prediction } from "./score.ts";

/** Frames that count by their rank, and whose imports count. */
const telling = 10;
/** The weight of a deeper frame, and of an import. */
const little = 0.1;

/** Ways to answer without an engine, by the name of their column. */
export const baselines = {
  "top frame": topFrame,
  "innermost of the project": projectFrame,
  "first own frame": ownFrame,
  "stack and imports": stackAndImports,
} satisfies Record<string, (rca: RcaCase) => Prediction>;
export type Baseline = keyof typeof baselines;

/** The files of the first stack, in order: what somebody who reads the log alone opens. */
function topFrame(rca: RcaCase): Prediction {
  return { ranked: filesIn(namedFrames(rca)) };
}

/**
 * The same without files outside the project: installed packages, or, where the failure is the package's own, the test
 * or program that uses it. A person reading a log knows which project it is about; the engine may not.
 */
function projectFrame(rca: RcaCase): Prediction {
  const frames = namedFrames(rca);
  const own = frames.filter(({ file }) => rca.tree.isProject(file));
  return { ranked: filesIn([...own, ...frames]) };
}

/** The same without installed packages. */
function ownFrame(rca: RcaCase): Prediction {
  return { ranked: filesIn(namedFrames(rca).filter(({ file }) => !isInstalled(file))) };
}

/**
 * Ranks by the features of BRTracer (Wong et al., ICSME 2014): 1/rank for the first ten frames, 0.1 for others, and 0.1
 * for files imported by the first ten.
 */
function stackAndImports(rca: RcaCase): Prediction {
  const frames = namedFrames(rca);
  const scores = new Map<string, number>();
  for (const [index, { file }] of frames.entries())
    if (!scores.has(file)) scores.set(file, index < telling ? 1 / (1 + index) : little);
  for (const file of importsOfFiles(new Set(frames.slice(0, telling).map(({ file }) => file)), rca))
    scores.set(file, (scores.get(file) ?? 0) + little);
  const places = new Map(filesIn(frames).map((frame) => [frame.file, frame]));
  const ordered = [...scores].toSorted(([, left], [, right]) => right - left);
  return { ranked: ordered.map(([file]) => places.get(file) ?? { file }) };
}

function importsOfFiles(importing: ReadonlySet<string>, { files, tree }: RcaCase): Set<string> {
  const named = files.map(({ name, content }) => ({ name: pathIn(tree, name), content }));
  const index = new PathIndex(named.map(({ name }) => name));
  const own = named.filter(({ name }) => importing.has(name));
  return new Set(own.flatMap(({ name, content }) => importedPaths(name, content, { paths: index })));
}

function filesIn(frames: readonly PrintedFrame[]): PrintedFrame[] {
  return frames.filter(({ file }, index) => frames.findIndex((other) => other.file === file) === index);
}

function namedFrames({ errorLog, language, corpus, tree }: RcaCase): PrintedFrame[] {
  const frames = framesOf({ errorLog, language, corpus }).map((frame) => ({
    ...frame,
    file: pathIn(tree, frame.file),
  }));
  // These print frames of their own library like those of the application.
  const isMixed = language === "java" || language === "ruby";
  return isMixed ? frames.filter(({ file }) => tree.paths.includes(file)) : frames;
}
