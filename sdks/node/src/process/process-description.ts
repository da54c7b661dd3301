import manifest from "../../package.json" with { type: "json" };
import type { BatchHeader } from "../delivery/batch.ts";
import { entryFile, type Options } from "../options.ts";
import { loadBuiltin } from "../runtime/load-builtin.ts";
import { randomHex } from "../runtime/uuid.ts";
import { releaseOfPackage } from "./release.ts";

/** Returns the description of this process that every batch carries; each call creates a new random `instance`. */
export function describeProcess({
  service,
  env,
  release = releaseOfPackage(entryFile()),
}: Pick<Options, "service" | "env" | "release">): BatchHeader {
  const { hostname }: typeof import("node:os") = loadBuiltin("node:os");
  return {
    sdk: { name: manifest.name, version: manifest.version },
    service,
    env,
    ...(release === undefined ? {} : { release }),
    host: {
      name: hostname(),
      pid: process.pid,
      runtime: { name: "node", version: process.versions.node },
      os: process.platform,
      arch: process.arch,
    },
    instance: randomHex(16),
  };
}

/** {@link describeProcess}, made when it is first needed, as the instance's number is drawn with it, and kept. */
export function processDescription(options: Options): () => BatchHeader {
  let made: BatchHeader | undefined;
  return () => {
    made ??= describeProcess(options);
    return made;
  };
}
