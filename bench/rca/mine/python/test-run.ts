import { chmodSync, cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { cacheFolder } from "../../corpora/package-cache.ts";
import type { Environment, TestResult } from "../ecosystem.ts";
import { runIsolated } from "../isolated-run.ts";
import { toolsFolder } from "./environment.ts";

/** The time limit per test file; one that hangs leaves no results. */
const runMsMax = 40_000;
const secondsPerTestMax = 8;
/** The Python that runs the tests; unprivileged users must be able to run it. */
export const runtime = process.env.RCABENCH_PYTHON ?? "/usr/bin/python3.11";

const testResult = z.strictObject({
  name: z.string(),
  failed: z.boolean(),
  ended: z.boolean(),
  crash: z.strictObject({ message: z.string(), text: z.string() }).optional(),
});

const harnessFolder = join(cacheFolder, "mine-python-harness");
const plugins = ["mine_results", "pytest_timeout", "pytest_asyncio.plugin", "pytest_mock"];

/** Copies the harness to where unprivileged tests can read it. */
export function installHarness(): void {
  mkdirSync(cacheFolder, { recursive: true });
  cpSync(join(import.meta.dirname, "harness"), harnessFolder, { recursive: true });
  chmodSync(cacheFolder, 0o755);
}

/** Runs tests of one file; undefined when they hung or left no results. */
export async function runTests(
  environment: Environment,
  test: string,
  only: readonly string[] = [],
): Promise<readonly TestResult[] | undefined> {
  const { app, installed } = environment;
  const options = [
    ...plugins.flatMap((plugin) => ["-p", plugin]),
    ...["-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", app, "--assert=plain", "--tb=no", "-q"],
    ...["--asyncio-mode=auto", `--timeout=${secondsPerTestMax}`],
  ];
  const written = await runIsolated({
    // Without `site`, so that packages of the machine aren't visible.
    command: [runtime, "-S", "-B", "-m", "pytest", ...options, environment.placeOf(test)],
    cwd: app,
    env: {
      PYTHONPATH: [harnessFolder, installed, toolsFolder, app].join(":"),
      PYTHONHASHSEED: "0",
      PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1",
      TZ: "UTC",
      LANG: "C.UTF-8",
      MINE_APP: app,
      MINE_ONLY: JSON.stringify(only),
    },
    runMsMax,
  });
  return written === undefined ? undefined : z.array(testResult).parse(JSON.parse(written));
}
