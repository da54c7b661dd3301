import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { redactedNames } from "@whence/protocol";
import { afterEach, beforeEach } from "vitest";
import { credentials } from "../src/prove/watch-run.ts";
import type { Orders } from "../src/watch/node/orders.ts";
import type { WrittenPart } from "../src/watch/node/written-hits.ts";

/** The folder of the test that runs. */
export let folder: string;

/** Gives each test of a file a folder for its program. */
export function usePythonFolder(): void {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "whence-watch-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
}

const watchFolder = join(import.meta.dirname, "../src/watch/public/python");

/** Runs a Python program; watched at places, given by line and by the line where their function begins. */
export async function run(
  code: string,
  places?: readonly (readonly [line: number, starts: number, isTest?: boolean])[],
  failures: readonly string[] = ["no stock"],
  pauseMsMax = 60_000,
) {
  const file = join(folder, "program.py");
  await writeFile(file, code);
  const orders: Orders = {
    ...{ folder, base: folder, failures, redactedNames, credentials },
    ...{ hitsPerPlaceMax: 20, valuesPerHitMax: 16, callersPerHitMax: 6 },
    ...{ textLengthMax: 200, stopsPerPlaceMax: 1_000_000, pauseMsMax, throwsMax: 100, stepsMax: 1_000 },
    placesUntil: Date.now() + pauseMsMax,
    ...{ followedDepthMax: 8, ranFunctionsMax: 3, writtenLengthMax: 1_000_000, loadedFilesMax: 2 },
    places: (places ?? []).map(([line, starts, isTest = false]) => ({ file, line, starts, is_test: isTest })),
  };
  await writeFile(join(folder, "orders.json"), JSON.stringify(orders));
  const { PATH } = process.env;
  const watching = places && { WHENCE_WATCH: join(folder, "orders.json"), PYTHONPATH: watchFolder };
  const child = spawn("python3", ["-B", file], { cwd: folder, env: { PATH, ...watching } });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: child.exitCode, signal: child.signalCode, stdout, stderr };
}

/** What the watch wrote. */
export async function written(): Promise<WrittenPart[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".jsonl"));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return texts.flatMap((one) => one.trim().split("\n")).map((line) => JSON.parse(line));
}
