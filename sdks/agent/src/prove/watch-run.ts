import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, isAbsolute, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import {
  credentialNamed,
  credentialPatterns,
  redactedNames,
  type WatchPlace,
  watchedRunLimits,
} from "@whence/protocol";
import { type Expression, type Orders, ordersVariable } from "../watch/node/orders.ts";
import { provingLimits } from "./proving-limits.ts";
import { type ReadRun, readRun } from "./read-run.ts";
import { type EndedProgram, type ProgramOptions, runProgram } from "./run-program.ts";

/** A run to be watched. */
export interface WatchedProgram {
  readonly run: number;
  readonly command: readonly string[];
  readonly places: readonly WatchPlace[];
  /** How the messages of the failing error and its causes begin. */
  readonly failures: readonly string[];
}

/** Runs a program, watched at places of its code, and returns how it ended and what was seen. */
export async function watchRun(
  { run, command, places, failures }: WatchedProgram,
  options: ProgramOptions,
): Promise<{ readonly ended: EndedProgram } & ReadRun> {
  const base = await realpath(options.cwd);
  // Node names scripts by their real paths.
  const ordered = await Promise.all(
    places.map(async ({ file, line, starts, follow_from, is_test }) => {
      const path = isAbsolute(file) ? file : join(base, file);
      return {
        name: file,
        file: await realpath(path).catch(() => path),
        line,
        starts,
        ...(follow_from && { follow_from }),
        ...(is_test && { is_test }),
      };
    }),
  );
  const names = new Map(ordered.map(({ name, file }) => [file, name]));
  const nameOf = (path: string): string => names.get(path) ?? nameBelow(base, path);
  const folder = await mkdtemp(join(tmpdir(), "whence-prove-"));
  try {
    const orders: Orders = {
      folder,
      base,
      failures,
      redactedNames,
      credentials,
      places: ordered,
      hitsPerPlaceMax: watchedRunLimits.hitsPerPlaceMax,
      valuesPerHitMax: watchedRunLimits.valuesPerHitMax,
      callersPerHitMax: watchedRunLimits.callersPerHitMax,
      loadedFilesMax: provingLimits.loadedFilesMax,
      ranFunctionsMax: watchedRunLimits.ranFunctionsMax,
      textLengthMax: watchedRunLimits.watchedTextLengthMax,
      stopsPerPlaceMax: provingLimits.stopsPerPlaceMax,
      pauseMsMax: provingLimits.pauseMsMax,
      placesUntil: Date.now() + options.withinMs * provingLimits.shareForPlaces,
      throwsMax: provingLimits.throwsMax,
      stepsMax: provingLimits.stepsMax,
      followedDepthMax: provingLimits.followedDepthMax,
      writtenLengthMax: provingLimits.writtenLengthMax,
    };
    const path = join(folder, "orders.json");
    await writeFile(path, JSON.stringify(orders));
    const environment = {
      ...options.environment,
      [ordersVariable]: path,
      NODE_OPTIONS: nodeOptions(options.environment),
      PYTHONPATH: pythonPath(options.environment),
    };
    const ended = await runProgram(command, { ...options, environment });
    return { ended, ...(await readRun(folder, { run, places, failures }, nameOf)) };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

const expression = ({ source, flags }: RegExp): Expression => ({ source, flags });
/** What the watched program masks. */
export const credentials: Orders["credentials"] = {
  name: expression(credentialNamed),
  patterns: [...credentialPatterns.values()].map(expression),
};

function nameBelow(base: string, path: string): string {
  return path.startsWith(base + sep) ? relative(base, path).replaceAll("\\", "/") : path;
}

/** The built program, or its source when this runs from source. */
const isSource = import.meta.url.endsWith(".ts");
const preload = fileURLToPath(new URL(isSource ? "../watch/node/preload.ts" : "./watch.cjs", import.meta.url));
/** The folder of a `sitecustomize`, which Python imports before a program. */
const sitePath = fileURLToPath(new URL(isSource ? "../watch/public/python" : "./python", import.meta.url));

function pythonPath({ PYTHONPATH: given = "" }: ProgramOptions["environment"]): string {
  return given === "" ? sitePath : `${sitePath}${delimiter}${given}`;
}

function nodeOptions({ NODE_OPTIONS: given = "" }: ProgramOptions["environment"]): string {
  return `${given} --require ${JSON.stringify(preload)}`.trim();
}
