import { importsOf, PathIndex } from "@whence/engine";
import type { RcaCase } from "./cases.ts";
import type { CaseFile } from "./corpora/case-files.ts";
import { type Prediction, plainName } from "./score.ts";

type Frame = { readonly file: string; readonly function: string; readonly line: number };

const installed = /(?:^|\/)(?:node_modules|site-packages)\//;
/** The number of frames that count by their rank, and whose imports count. */
const telling = 10;
/** The weight of a deeper frame, and of an import. */
const little = 0.1;

/** Ranks the files of the first stack, in order: what a reader of the log alone would open. */
export function topFrame(rca: RcaCase): Prediction {
  return { ranked: filesIn(framesOf(rca)) };
}

/** Ranks the same files without installed packages. */
export function ownFrame(rca: RcaCase): Prediction {
  return { ranked: filesIn(framesOf(rca).filter(({ file }) => !installed.test(file))) };
}

/**
 * Ranks by the features of BRTracer (Wong et al., ICSME 2014): 1/rank for the first ten frames, 0.1 for others, and 0.1
 * for files imported by the first ten.
 */
export function stackAndImports(rca: RcaCase): Prediction {
  const frames = framesOf(rca);
  const scores = new Map<string, number>();
  for (const [index, { file }] of frames.entries())
    if (!scores.has(file)) scores.set(file, index < telling ? 1 / (1 + index) : little);
  for (const file of importsOfFiles(new Set(frames.slice(0, telling).map(({ file }) => file)), rca.files))
    scores.set(file, (scores.get(file) ?? 0) + little);
  const places = new Map(filesIn(frames).map((frame) => [frame.file, frame]));
  const ordered = [...scores].toSorted(([, left], [, right]) => right - left);
  return { ranked: ordered.map(([file]) => places.get(file) ?? { file }) };
}

function importsOfFiles(importing: ReadonlySet<string>, files: readonly CaseFile[]): Set<string> {
  const index = new PathIndex(files.map(({ name }) => name));
  const own = files.filter(({ name }) => importing.has(name));
  return new Set(own.flatMap(({ name, content }) => importsOf(name, content, index)));
}

function filesIn(frames: readonly Frame[]): Frame[] {
  return frames.filter(({ file }, index) => frames.findIndex((other) => other.file === file) === index);
}

function framesOf({ errorLog, language, files }: RcaCase): Frame[] {
  return language === "javascript" || language === "typescript" ? nodeFrames(errorLog) : otherFrames(errorLog, files);
}

function nodeFrames(errorLog: string): Frame[] {
  const frames: Frame[] = [];
  let isInside = false;
  for (const line of errorLog.split("\n")) {
    const frame = /^\s*at (.*)$/.exec(line)?.[1];
    if (frame === undefined && isInside) break;
    if (frame === undefined) continue;
    isInside = true;
    const place = /(?:^|\()(?:file:\/\/)?(\/app\/[^)]*?):(\d+):\d+\)?$/.exec(frame);
    const file = plainName(place?.[1] ?? "");
    if (file !== "") frames.push({ file, function: /^(.*?) \(/.exec(frame)?.[1] ?? "", line: Number(place?.[2]) });
  }
  return frames;
}

/** Matches frames as Python, Go, Java, and Ruby print them; only Python starts with the outermost. */
const printed =
  /^\s*(?:File "([^"]+)", line (\d+), in (.+)|\s(\/app\/[^:]+):(\d+)(?: .*)?|at .*?([\w$<>]+)\(([\w.]+):(\d+)\)|(?:from )?([\w./]+\.rb):(\d+):in .*?([\w?!]+)'.*)$/gm;

function otherFrames(errorLog: string, files: readonly CaseFile[]): Frame[] {
  const frames = [...errorLog.matchAll(printed)].flatMap((found) => {
    const [, python, pythonLine, pythonName, go, goLine, javaName, java, javaLine, ruby, rubyLine, rubyName] = found;
    const path = plainName(python ?? go ?? java ?? ruby ?? "");
    const file = files.find(({ name }) => name === path || name.endsWith(`/${path}`))?.name;
    const line = Number(pythonLine ?? goLine ?? javaLine ?? rubyLine);
    return file === undefined ? [] : [{ file, line, function: pythonName ?? javaName ?? rubyName ?? "" }];
  });
  return errorLog.includes("Traceback (most recent call last)") ? frames.toReversed() : frames;
}
