import { realpathSync } from "node:fs";
import { join } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Short files, which Vitest begins last, that take half a minute or more: then each would run alone for a while.
 * A path that names no file ends the run.
 */
const slowest = new Set(
  [
    "sdks/node/test/frameworks/waiting-work.servers.test.ts",
    "sdks/python/test/pytest.test.ts",
    "services/storage/test/control/incident-order.servers.test.ts",
    "services/storage/test/queue/jetstream-queue.contract.servers.test.ts",
    "test/ranking.test.ts",
    "test/wrong-model.test.ts",
  ].map((file) => realpathSync(join(import.meta.dirname, "..", file))),
);

/** Begins with the files that take longest for their length, then as Vitest does. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlowest = ({ moduleId }: TestSpecification): boolean => slowest.has(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlowest), ...sorted.filter((file) => !isSlowest(file))];
  }
}
