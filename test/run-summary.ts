/** The result of a run of all tests. */
export interface RunSummary {
  /** Why the run failed; empty when it succeeded. */
  readonly problems: readonly string[];
  /** `N passed, N failed`. */
  readonly line: string;
}

/** Lines printed of a failed test's message, so that the end of a log shows what to fix. */
const reasonLinesMax = 30;

/**
 * Evaluates the JSON of the runner's runs against the existing test files. In addition to failed tests, these count as
 * failures: no test at all, a skipped test, and a file that wasn't run or contains no test.
 */
export function summarize(runs: readonly unknown[], testFiles: readonly string[]): RunSummary {
  const results = runs.flatMap((run) => listOf(run, "testResults"));
  const files = results.map((file) => ({
    name: textOf(file, "name"),
    isBroken: fieldOf(file, "status") !== "passed",
    message: textOf(file, "message"),
    tests: listOf(file, "assertionResults"),
  }));
  const tests = files.flatMap((file) => file.tests);
  const withStatus = (status: string): unknown[] => tests.filter((test) => fieldOf(test, "status") === status);
  const passed = withStatus("passed").length;
  const failures = files.flatMap(({ name, isBroken, message, tests: own }) => {
    const failed = own.filter((test) => fieldOf(test, "status") === "failed");
    if (isBroken && failed.length === 0) return [failure(name, message)];
    return failed.map((test) =>
      failure(`${name} > ${textOf(test, "fullName")}`, listOf(test, "failureMessages").join("\n")),
    );
  });
  const skipped = tests.length - passed - withStatus("failed").length;
  const ran = (file: string): boolean => files.some(({ name, tests: own }) => own.length > 0 && isSame(name, file));
  return {
    problems: [
      ...failures,
      ...(passed === 0 ? ["no test passed"] : []),
      ...(failures.length > 0 ? [`${failures.length} failed`] : []),
      ...(skipped > 0 ? [`${skipped} skipped: every test has to run`] : []),
      ...testFiles.filter((file) => !ran(file)).map((file) => `not run: ${file}`),
    ],
    line: `${passed} passed, ${failures.length} failed`,
  };
}

function failure(what: string, why: string): string {
  const reason = why.split("\n").slice(0, reasonLinesMax);
  return [`failed: ${what}`, ...reason.filter((line) => line !== "").map((line) => `    ${line}`)].join("\n");
}

function isSame(absolute: string, relative: string): boolean {
  return absolute === relative || absolute.endsWith(`/${relative}`);
}

function textOf(value: unknown, name: string): string {
  const text = fieldOf(value, name);
  return typeof text === "string" ? text : "";
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
