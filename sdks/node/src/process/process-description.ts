import manifest from "../../package.json" with { type: "json" };
import type { BatchHeader } from "../delivery/batch.ts";
import { entryFile } from "../environment.ts";
import type { Options } from "../options.ts";
import { loadBuiltin } from "../runtime/load-builtin.ts";
import { runtimeName } from "../runtime/runtime-name.ts";
import { randomHex } from "../runtime/uuid.ts";
import { workingFolder } from "../runtime/working-folder.ts";
import { deployedRelease } from "./release.ts";

type ProcessNames = Pick<Options, "service" | "env" | "release">;

/** Returns the description of this process that every batch carries; each call creates a new random `instance`. */
export function describeProcess({
  service,
  env,
  release = deployedRelease(entryFile(), workingFolder()),
}: ProcessNames): BatchHeader {
  const { hostname }: typeof import("node:os") = loadBuiltin("node:os");
  return {
    sdk: { name: manifest.name, version: manifest.version },
    service,
    env,
    ...(release === undefined ? {} : { release }),
    host: {
      name: hostname(),
      pid: process.pid,
      runtime: { name: runtimeName(), version: process.versions[runtimeName()] ?? process.versions.node },
      os: process.platform,
      arch: process.arch,
    },
    instance: randomHex(16),
  };
}

/**
 * The lazily created result of {@link describeProcess}, since that draws the instance's id. Kept until the program
 * changes its name.
 */
export class ProcessDescription {
  #options: ProcessNames;
  #made: BatchHeader | undefined;

  constructor(options: ProcessNames) {
    this.#options = options;
  }

  readonly header = (): BatchHeader => {
    this.#made ??= describeProcess(this.#options);
    return this.#made;
  };

  /** Changes the names in later batches. */
  rename(names: ProcessNames): void {
    const { instance } = this.header();
    this.#options = names;
    this.#made = { ...describeProcess(names), instance };
  }
}
