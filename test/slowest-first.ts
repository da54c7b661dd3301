import { BaseSequencer, type TestSpecification } from "vitest/node";

/** It runs most tests of the Python client, mostly waiting: begun last, it alone would run for a minute or more. */
const slowest = "sdks/python/test/pytest.test.ts";

/** Begins with the file that takes longest, then as Vitest does. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlowest = ({ moduleId }: TestSpecification): boolean => moduleId.endsWith(slowest);
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlowest), ...sorted.filter((file) => !isSlowest(file))];
  }
}
