import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  cutWithoutCredentials,
  type Hit,
  isTestFile,
  type TestRun,
  type WatchedRun,
  type WatchPlace,
  watchedRunLimits,
} from "@whence/protocol";
import type { CalledAt } from "../watch/node/called-at.ts";
import { bySuspicion, type RanFunction, typeOf, type WrittenTestRun } from "../watch/node/test-runs.ts";
import { cut } from "../watch/node/value-text.ts";
import type { WrittenHit, WrittenPart } from "../watch/node/written-hits.ts";

const { watchedTextLengthMax: textMax, watchedFileLengthMax: fileMax } = watchedRunLimits;

/** What was seen in a watched run, and the files of the tree whose code it loaded. */
export interface ReadRun {
  readonly watched: WatchedRun;
  readonly loaded: readonly string[];
}

/** Reads what the processes of a watched run wrote. `nameOf` returns the name of a file as it is sent. */
export async function readRun(
  folder: string,
  watched: {
    readonly run: number;
    readonly places: readonly WatchPlace[];
    /** How the messages of the failing error and its causes begin. */
    readonly failures: readonly string[];
  },
  nameOf: (path: string) => string,
): Promise<ReadRun> {
  const { run, places, failures } = watched;
  const names = (await readdir(folder)).filter((name) => name.endsWith(".jsonl")).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  const parts = texts.flatMap((text) => text.split("\n")).flatMap(partOf);
  const counts = new Map<string, { place: number; hits: number; is_complete: boolean }>();
  // Each part of a thread counts on from the one before it.
  for (const { thread, places: counted } of parts) for (const one of counted) counts.set(`${thread}:${one.place}`, one);
  const seen = places.flatMap((place, index) => {
    const counted = [...counts.values()].filter((one) => one.place === index);
    if (counted.length === 0) return [];
    const hits = counted.reduce((sum, one) => sum + one.hits, 0);
    return [{ ...place, hits, is_complete: counted.every((one) => one.is_complete) }];
  });
  const hits = parts.flatMap(({ thread, hits }) => hits.map((hit) => sentHit(hit, thread, nameOf)));
  const last = hits
    .filter((hit) => isFailure(hit, failures))
    .sort((one, other) => one.at_ms - other.at_ms)
    .at(-1);
  const written = parts.findLast(({ thread, ran }) => ran && thread === last?.thread)?.ran;
  const ran = written && last && sentTestRun(withOtherThreads(written, last, parts), nameOf);
  const bytesMax = Math.floor(watchedRunLimits.watchedRunsBytesMax / watchedRunLimits.provingRunsMax);
  const kept = withinLimits(hits, failures, bytesMax - bytesOf({ run, places: seen, ran }));
  const loaded = new Set(parts.flatMap(({ files }) => files.map(nameOf)));
  return { watched: { run, places: seen, hits: kept, ...(ran && { ran }) }, loaded: [...loaded] };
}

/** A process may have been killed in the middle of a line. */
function partOf(line: string): WrittenPart[] {
  try {
    return line === "" ? [] : [JSON.parse(line)];
  } catch {
    return [];
  }
}

/** Adds the tests of other threads: a suite has a process for each file. */
function withOtherThreads(
  ran: WrittenTestRun,
  { error = "", thread }: Hit,
  parts: readonly WrittenPart[],
): WrittenTestRun {
  // A thread's own tests are counted already.
  const latest = new Map(parts.flatMap((part) => (part.tests ? [[part.thread, part.tests] as const] : [])));
  latest.delete(thread);
  const total = { failed: ran.failed, passed: ran.passed };
  const counted = new Map(ran.functions.map((one) => [keyOf(one), { ...one }]));
  for (const { errors, count, functions } of [...latest.values()].flat()) {
    const how = errors.includes(typeOf(error)) ? "failed" : "passed";
    total[how] += count;
    for (const one of functions) {
      const known = counted.get(keyOf(one));
      if (known) known[how] += one.count;
    }
  }
  return { ...total, functions: [...counted.values()].sort(bySuspicion) };
}

function keyOf({ file, function: name, starts }: Pick<RanFunction, "file" | "function" | "starts">): string {
  return `${file}:${starts} ${name}`;
}

/** Leaves out the tests themselves. */
function sentTestRun({ functions, ...others }: WrittenTestRun, nameOf: (path: string) => string): TestRun {
  const own = functions.map((one) => ({
    ...one,
    file: cut(nameOf(one.file), fileMax),
    function: cut(one.function, textMax),
  }));
  return { ...others, functions: own.filter(({ file }) => !isTestFile(file)) };
}

function sentHit(hit: WrittenHit, thread: string, nameOf: (path: string) => string): Hit {
  const at = (one: CalledAt): CalledAt => ({
    file: cut(nameOf(one.file), fileMax),
    line: one.line,
    function: one.function && cut(one.function, textMax),
    starts: one.starts,
  });
  return {
    ...at(hit),
    kind: hit.kind,
    values: Object.fromEntries(Object.entries(hit.values).map(([name, text]) => [name, cutWithoutCredentials(text)])),
    ...(hit.returned !== undefined && { returned: cutWithoutCredentials(hit.returned) }),
    ...(hit.error !== undefined && { error: cutWithoutCredentials(hit.error) }),
    thread,
    at_ms: hit.at_ms,
    nth: hit.nth,
    callers: hit.callers.map(at),
  };
}

/**
 * Keeps every throw, and of the other stops the last ones before the last throw, as many as may be sent: first those of
 * threads in which the failure was thrown, since a suite of tests has a process for each file.
 */
function withinLimits(hits: readonly Hit[], failures: readonly string[], bytesMax: number): Hit[] {
  const { hitsPerRunMax } = watchedRunLimits;
  const ordered = [...hits].sort((one, other) => one.at_ms - other.at_ms);
  const throws = ordered.filter(({ kind }) => kind === "threw");
  const latest = new Map(ordered.map((hit) => [`${hit.kind}:${hit.file}:${hit.line}:${hit.thread}`, hit]));
  const lasts = new Set(latest.values());
  // Where the calls on the stack of a throw began.
  const stacks = new Set(throws.map(stackOf));
  const begun = ordered.filter((hit) => hit.kind === "reached" && stacks.has(stackOf(hit)));
  const failed = throws.filter((hit) => isFailure(hit, failures));
  const threads = new Set(failed.map(({ thread }) => thread));
  const rest = [...ordered].reverse().filter((hit) => hit.kind !== "threw" && !lasts.has(hit));
  const stops = [...begun.reverse(), ...[...lasts].reverse(), ...rest];
  const inOrder = [
    ...stops.filter(({ thread }) => threads.has(thread)),
    ...stops.filter(({ thread }) => !threads.has(thread)),
  ];
  const chosen = new Set<Hit>();
  let bytes = bytesMax;
  for (const hit of [...throws.reverse(), ...inOrder]) {
    if (chosen.has(hit)) continue;
    bytes -= bytesOf(hit) + 1;
    if (bytes < 0 || chosen.size >= hitsPerRunMax) break;
    chosen.add(hit);
  }
  return ordered.filter((hit) => chosen.has(hit));
}

function isFailure({ kind, error = "" }: Hit, failures: readonly string[]): boolean {
  return kind === "threw" && failures.some((message) => error.includes(message));
}

function bytesOf(sent: object): number {
  return Buffer.byteLength(JSON.stringify(sent));
}

/** Identifies a call by its function and the calls that led to it. */
function stackOf({ file, starts, callers }: Hit): string {
  return JSON.stringify([file, starts, callers.map((one) => [one.file, one.line])]);
}
