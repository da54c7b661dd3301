/** What a run of all tests came to. */
export interface RunSummary {
  /** Why the run does not count as good; empty when it does. */
  readonly problems: readonly string[];
  /** `N passed, N failed`. */
  readonly line: string;
}

/**
 * Judges the JSON of each of the runner's runs against the test files that there are. Besides a failed test these are failures: no test at
 * all, a test that was skipped, a file that was not run or held no test.
 */
export function summarize(runs: readonly unknown[], testFiles: readonly string[]): RunSummary {
  const results = runs.flatMap((run) => listOf(run, "testResults"));
  const files = results.map((file) => ({
    name: String(fieldOf(file, "name")),
    isBroken: fieldOf(file, "status") !== "passed",
    statuses: listOf(file, "assertionResults").map((test) => fieldOf(test, "status")),
  }));
  const statuses = files.flatMap((file) => file.statuses);
  const passed = statuses.filter((status) => status === "passed").length;
  const broken = files.filter(({ isBroken, statuses: own }) => isBroken && !own.includes("failed"));
  const failed = statuses.filter((status) => status === "failed").length + broken.length;
  const skipped = statuses.length - statuses.filter((status) => status === "passed" || status === "failed").length;
  const ran = (file: string): boolean => files.some(({ name, statuses: own }) => own.length > 0 && isSame(name, file));
  return {
    problems: [
      ...(passed === 0 ? ["no test passed"] : []),
      ...(failed > 0 ? [`${failed} failed`] : []),
      ...(skipped > 0 ? [`${skipped} skipped: every test has to run`] : []),
      ...testFiles.filter((file) => !ran(file)).map((file) => `not run: ${file}`),
    ],
    line: `${passed} passed, ${failed} failed`,
  };
}

function isSame(absolute: string, relative: string): boolean {
  return absolute === relative || absolute.endsWith(`/${relative}`);
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

function listOf(value: unknown, name: string): unknown[] {
  const list = fieldOf(value, name);
  return Array.isArray(list) ? list : [];
}
