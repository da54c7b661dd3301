import { stripVTControlCharacters } from "node:util";
import type { EndedProgram } from "./run-program.ts";

/** A run of a command, and how long it took. */
export interface TimedRun {
  readonly ended: EndedProgram;
  readonly tookMs: number;
}

/** What tells the runs of a command that failed from those that passed. */
export type RunDifference =
  /** The seeds that the runs printed. */
  | { readonly kind: "seeds"; readonly failed: readonly string[]; readonly passed: readonly string[] }
  /** A line that each failed run printed before its failure, and no other run. */
  | { readonly kind: "line"; readonly text: string }
  /** Two lines of all runs, whose order was the other way around in those that passed. */
  | { readonly kind: "order"; readonly first: string; readonly second: string }
  /** How long the shortest and the longest took, where each failed run took longer than all that passed. */
  | { readonly kind: "duration"; readonly failedMs: Range; readonly passedMs: Range };
export type Range = readonly [shortest: number, longest: number];

/** Lines of one kind that are worth reading. */
const linesMax = 3;
const orderedLinesMax = 300;
/** How many times longer one must take for its duration to tell anything. */
const longerMin = 1.5;
const textLengthMax = 160;
const seedIn = /\bseed\b["']?[ \t]{0,4}[:=]?[ \t]{0,4}["']?(\d{1,20})\b/i;
/** Node prints the place of an uncaught error, and its code, before it. */
const placeOnly = /^\S+:\d+$/;
/** Where runners and programs begin to print a failure. */
const failing = /error|exception|\bfail|traceback|panic|^\s*not ok\b|[✗✘✖×]|^\s*(?:E {2}|FAIL|F\b)/i;

/** Returns the line with which each failed run began to fail, without what differs from run to run, and how many did. */
export function failuresOf(runs: readonly TimedRun[]): { readonly text: string; readonly runs: number }[] {
  const counts = new Map<string, { text: string; runs: number }>();
  for (const line of runs.filter(hasFailed).flatMap(({ ended }) => linesOf(ended.output).find(isFailing) ?? [])) {
    const known = counts.get(plain(line)) ?? { text: shortened(line), runs: 0 };
    counts.set(plain(line), { ...known, runs: known.runs + 1 });
  }
  return [...counts.values()].sort((one, other) => other.runs - one.runs);
}

/** Compares the runs that failed with those that passed; empty without both. */
export function differencesOf(runs: readonly TimedRun[]): RunDifference[] {
  const failed = runs.filter(hasFailed);
  const passed = runs.filter((run) => !hasFailed(run));
  if (failed.length === 0 || passed.length === 0) return [];
  return [
    ...seedsOf(failed, passed),
    ...linesOnlyIn(failed, passed),
    ...ordersOf(failed, passed),
    ...durationsOf(failed, passed),
  ];
}

export function hasFailed({ ended }: TimedRun): boolean {
  return ended.code !== 0;
}

function seedsOf(failed: readonly TimedRun[], passed: readonly TimedRun[]): RunDifference[] {
  const seeds = (runs: readonly TimedRun[]): string[] =>
    runs.flatMap(({ ended }) => seedIn.exec(ended.output)?.[1] ?? []);
  const [ofFailed, ofPassed] = [seeds(failed), seeds(passed)];
  const isOfAll = ofFailed.length === failed.length && ofPassed.length === passed.length;
  const isTelling = isOfAll && !ofFailed.some((seed) => ofPassed.includes(seed));
  return isTelling ? [{ kind: "seeds", failed: [...new Set(ofFailed)], passed: [...new Set(ofPassed)] }] : [];
}

function linesOnlyIn(failed: readonly TimedRun[], passed: readonly TimedRun[]): RunDifference[] {
  // What isn't in the end of an output may have been before it.
  if (passed.some(({ ended }) => ended.isCut)) return [];
  const [first = [], ...others] = failed.map(({ ended }) => linesBefore(ended.output));
  const printed = others.map((lines) => new Set(lines.map(plain)));
  const inPassed = new Set(passed.flatMap(({ ended }) => linesOf(ended.output).map(plain)));
  const only = first.filter((line) => !inPassed.has(plain(line)) && printed.every((lines) => lines.has(plain(line))));
  return [...new Map(only.map((line) => [plain(line), line])).values()]
    .slice(0, linesMax)
    .map((line) => ({ kind: "line", text: shortened(line) }));
}

/** Compares the order of the lines that each run printed once, before any failure. */
function ordersOf(failed: readonly TimedRun[], passed: readonly TimedRun[]): RunDifference[] {
  const places = [...failed, ...passed].map(({ ended }) => placesOf(linesBefore(ended.output)));
  const [ofFirst = new Map<string, PrintedOnce>()] = places;
  const shared = [...ofFirst.keys()].filter((line) => places.every((of) => of.has(line))).slice(0, orderedLinesMax);
  const isBefore = (of: ReadonlyMap<string, PrintedOnce>, one: string, other: string): boolean =>
    (of.get(one)?.at ?? 0) < (of.get(other)?.at ?? 0);
  const text = (line: string): string => shortened(ofFirst.get(line)?.text ?? line);
  for (const [index, first] of shared.entries())
    for (const second of shared.slice(index + 1)) {
      const isOpposed = places.every((of, run) => isBefore(of, first, second) === run < failed.length);
      if (isOpposed) return [{ kind: "order", first: text(first), second: text(second) }];
    }
  return [];
}

interface PrintedOnce {
  readonly at: number;
  readonly text: string;
}

/** The lines that are printed once. */
function placesOf(lines: readonly string[]): Map<string, PrintedOnce> {
  const once = new Map<string, PrintedOnce | null>();
  for (const [at, text] of lines.entries()) once.set(plain(text), once.has(plain(text)) ? null : { at, text });
  return new Map([...once].flatMap(([line, place]) => (place ? [[line, place]] : [])));
}

function durationsOf(failed: readonly TimedRun[], passed: readonly TimedRun[]): RunDifference[] {
  const range = (runs: readonly TimedRun[]): Range => {
    const all = runs.map(({ tookMs }) => tookMs);
    return [Math.min(...all), Math.max(...all)];
  };
  const [failedMs, passedMs] = [range(failed), range(passed)];
  // A run that fails often ends early, so only a longer one tells something.
  return failedMs[0] > longerMin * passedMs[1] ? [{ kind: "duration", failedMs, passedMs }] : [];
}

function linesOf(output: string): string[] {
  return output
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== "");
}

/** The lines before the failure; all, where none begins one. */
function linesBefore(output: string): string[] {
  const lines = linesOf(output);
  const at = lines.findIndex((line) => placeOnly.test(line) || isFailing(line));
  return at < 0 ? lines : lines.slice(0, at);
}

function isFailing(line: string): boolean {
  return failing.test(line) && !/\b0 (?:fail|error)/i.test(line);
}

/** A line without colors, times, addresses, and other numbers, which differ from run to run. */
function plain(line: string): string {
  return stripVTControlCharacters(line)
    .replace(/\b(?:0x)?[\da-f]{8,}\b/gi, "#")
    .replace(/\d+(?:[.:,]\d+)*/g, "#")
    .trim();
}

function shortened(line: string): string {
  const text = stripVTControlCharacters(line).trim();
  return text.length > textLengthMax ? `${text.slice(0, textLengthMax - 1)}…` : text;
}
