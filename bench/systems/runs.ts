import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../rca/corpora/package-cache.ts";
import { buildClient } from "./machines/build-client.ts";
import { type RecordedRun, readRuns, writeRuns } from "./recorded-run.ts";

const folder = join(import.meta.dirname, "runs");
const parts = join(cacheFolder, "systems");
const program = join(import.meta.dirname, "record-part.ts");
/** A process of its own for so many seeds. */
const seedsPerPart = 20;
/** Seeds whose runs are one file. */
const seedsPerFile = 400;

/** Every recorded run, by seed. */
export function readAllRuns(): RecordedRun[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".jsonl.zst")) : [];
  return names.flatMap((name) => readRuns(join(folder, name))).toSorted((left, right) => left.seed - right.seed);
}

/** Records the runs of that many seeds; those that were recorded before stay. */
export async function recordRuns(seeds: number): Promise<void> {
  mkdirSync(parts, { recursive: true });
  const client = await buildClient(parts);
  for (let from = 0; from < seeds; from += seedsPerPart) {
    const path = partPath(from);
    if (existsSync(path)) continue;
    rmSync(`${path}.new`, { force: true });
    const seedRange = [String(from), String(from + seedsPerPart)];
    const recorder = spawn(process.execPath, [...process.execArgv, program, ...seedRange, `${path}.new`, client], {
      stdio: ["ignore", "ignore", "ignore"],
    });
    const [code] = await once(recorder, "exit");
    if (code !== 0) throw new Error(`the recording of seeds ${seedRange.join(" to ")} ended with ${code}`);
    renameSync(`${path}.new`, path);
    console.error(`${from + seedsPerPart} of ${seeds} seeds recorded`);
  }
  packRuns();
}

function partPath(from: number): string {
  return join(parts, `${String(from).padStart(5, "0")}.jsonl`);
}

/** Puts what was recorded into a few files, with those that are there. */
export function packRuns(): void {
  const recorded = readdirSync(parts)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(join(parts, name), "utf8").split("\n"))
    .flatMap((line): RecordedRun[] => (line === "" ? [] : [JSON.parse(line)]))
    .filter(({ cases }) => cases.length > 0);
  const bySeed = new Map([...readAllRuns(), ...recorded].map((run) => [run.seed, run]));
  const files = Map.groupBy(bySeed.values(), ({ seed }) => Math.floor(seed / seedsPerFile));
  mkdirSync(folder, { recursive: true });
  for (const [file, runs] of files) {
    const sorted = runs.toSorted((left, right) => left.seed - right.seed);
    writeRuns(join(folder, `${String(file * seedsPerFile).padStart(5, "0")}.jsonl.zst`), sorted);
  }
}
