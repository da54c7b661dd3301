import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { cacheFolder } from "../../corpora/package-cache.ts";
import type { Environment, TestResult } from "../ecosystem.ts";
import { runIsolated } from "../isolated-run.ts";
import { toolsFolder } from "./environment.ts";
import { readManifest } from "./package-files.ts";

/** The time limit per test file; one that hangs leaves no results. */
const runMsMax = 20_000;
/** The Node that runs the tests: old packages need features that later ones removed. */
const runtime = process.env.RCABENCH_NODE ?? "node";

const thrown = z.strictObject({ name: z.string(), message: z.string(), stack: z.string(), text: z.string() });
const testResult = z.strictObject({
  name: z.string(),
  failed: z.boolean(),
  ended: z.boolean(),
  crash: thrown.optional(),
});

/** The folder in which the harness runs: a copy, so that its frames are easy to distinguish. */
export const harnessFolder = join(cacheFolder, "mine-harness");

/** Copies the harness to where unprivileged tests can read it. */
export function installHarness(): void {
  mkdirSync(cacheFolder, { recursive: true });
  cpSync(join(import.meta.dirname, "harness"), harnessFolder, { recursive: true });
  chmodSync(cacheFolder, 0o755);
}

/** Runs one test file of the installed package; undefined when it hung or left no results. */
export async function runTests(environment: Environment, test: string): Promise<readonly TestResult[] | undefined> {
  const written = await runIsolated({
    command: [runtime, join(harnessFolder, "main.cjs"), join(environment.installed, test)],
    cwd: environment.installed,
    env: {
      NODE_PATH: join(toolsFolder, "node_modules"),
      NODE_ENV: "test",
      MINE_OPTIONS: optionsOf(environment),
    },
    runMsMax,
  });
  return written === undefined ? undefined : z.array(testResult).parse(JSON.parse(written));
}

function optionsOf({ pair: { unpacked } }: Environment): string {
  const { scripts, devDependencies } = readManifest(unpacked.tester);
  const words = [scripts.test ?? "", readIfThere(join(unpacked.tester, "test/mocha.opts"))].join("\n");
  const requires = [...words.matchAll(/(?:-r|--require)[ =]([\w@./-]+)/g)].flatMap(([, module]) => module ?? []);
  const exportsTests =
    /nodeunit|expresso/.test(words) || "nodeunit" in devDependencies || "expresso" in devDependencies;
  return JSON.stringify({ requires, exportsTests, tools: toolsFolder });
}

const readIfThere = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "");
