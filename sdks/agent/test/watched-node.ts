import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { redactedNames } from "@whence/protocol";
import { afterEach, beforeEach } from "vitest";
import { credentials } from "../src/prove/watch-run.ts";
import { type OrderedPlace, type Orders, ordersVariable } from "../src/watch/node/orders.ts";
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

const preload = join(import.meta.dirname, "../src/watch/node/preload.ts");

/** Runs a program; with orders, watched. */
export async function run(file: string, watch?: Partial<Orders> & Pick<Orders, "places">) {
  const orders: Orders = {
    ...{
      folder,
      base: folder,
      failures: [],
      redactedNames,
      credentials,
      hitsPerPlaceMax: 20,
      valuesPerHitMax: 16,
      callersPerHitMax: 6,
    },
    ...{ textLengthMax: 200, stopsPerPlaceMax: 1_000, throwsMax: 100, stepsMax: 1_000 },
    ...{ pauseMsMax: 60_000, placesUntil: Date.now() + 60_000 },
    ...{ followedDepthMax: 8, ranFunctionsMax: 3, writtenLengthMax: 1_000_000, loadedFilesMax: 3 },
    ...watch,
    places: [],
    ...watch,
  };
  await writeFile(join(folder, "orders.json"), JSON.stringify(orders));
  const { PATH } = process.env;
  const watching = watch && { [ordersVariable]: join(folder, "orders.json"), NODE_OPTIONS: `--require ${preload}` };
  const child = spawn(process.execPath, [file], { cwd: folder, env: { PATH, ...watching } });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: child.exitCode, signal: child.signalCode, stdout, stderr };
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

/** Writes a file of the program. */
export async function program(name: string, code: string): Promise<string> {
  const file = join(folder, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, code);
  return file;
}

/** A place in a file; `starts` is the line where its function begins. */
export function place(file: string, line: number, starts: number | null = null): OrderedPlace {
  return { file, line, starts };
}
