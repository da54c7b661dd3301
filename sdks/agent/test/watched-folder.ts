import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { redactedNames } from "@whence/protocol";
import { afterEach, beforeEach } from "vitest";
import { credentials } from "../src/prove/watch-run.ts";
import type { Orders } from "../src/watch/node/orders.ts";
import type { WrittenTestRun } from "../src/watch/node/test-runs.ts";
import type { WrittenHit, WrittenPart } from "../src/watch/node/written-hits.ts";

/** The folder of the test that runs. */
export let folder: string;

/** Gives each test of a file a folder for its program. */
export function useProgramFolder(): void {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "whence-watch-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
}

/** What a test orders of a watch, and the variables by which the program finds the file with the orders. */
export interface Watch {
  readonly orders: Partial<Orders> & Pick<Orders, "places">;
  readonly variables: (ordersFile: string) => Record<string, string>;
}

/** Runs a program in the folder; with a watch, watched. */
export async function runWatched(command: string, args: readonly string[], watch: Watch | undefined) {
  const ordersFile = join(folder, "orders.json");
  if (watch) await writeFile(ordersFile, JSON.stringify(completed(watch.orders)));
  const { PATH } = process.env;
  const child = spawn(command, args, { cwd: folder, env: { PATH, ...watch?.variables(ordersFile) } });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: child.exitCode, signal: child.signalCode, stdout, stderr };
}

function completed(orders: Watch["orders"]): Orders {
  const { pauseMsMax = 60_000 } = orders;
  return {
    folder,
    base: folder,
    failures: [],
    redactedNames,
    credentials,
    hitsPerPlaceMax: 20,
    valuesPerHitMax: 16,
    callersPerHitMax: 6,
    textLengthMax: 200,
    stopsPerPlaceMax: 1_000,
    pauseMsMax,
    placesUntil: Date.now() + pauseMsMax,
    throwsMax: 100,
    stepsMax: 1_000,
    followedDepthMax: 8,
    ranFunctionsMax: 3,
    writtenLengthMax: 1_000_000,
    loadedFilesMax: 3,
    ...orders,
  };
}

/** What the watch wrote. */
export async function written(): Promise<WrittenPart[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".jsonl"));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return texts.flatMap((one) => one.trim().split("\n")).map((line) => JSON.parse(line));
}

/** The stops that it wrote. */
export async function hits(): Promise<WrittenHit[]> {
  return (await written()).flatMap((part) => part.hits);
}

/** What it wrote last of the failing test. */
export async function testRun(): Promise<WrittenTestRun | undefined> {
  return (await written()).flatMap((part) => part.ran ?? []).at(-1);
}
