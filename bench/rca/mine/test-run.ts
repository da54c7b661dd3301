import { spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { cacheFolder } from "../corpora/package-cache.ts";
import { type Environment, toolsFolder } from "./environment.ts";
import { readManifest } from "./package-files.ts";

/** A file of tests may take this long; one that hangs leaves no results. */
const runMsMax = 20_000;
/** The Node that runs the tests: old packages need more of what later ones removed. */
const runtime = process.env.RCABENCH_NODE ?? "node";
/** Published tests run as nobody where they can. */
const nobody = userInfo().uid === 0 ? { uid: 65_534, gid: 65_534 } : {};

const thrown = z.strictObject({ name: z.string(), message: z.string(), stack: z.string(), text: z.string() });
const testResult = z.strictObject({
  name: z.string(),
  failed: z.boolean(),
  ended: z.boolean(),
  /** What the test threw, unless it was an assertion. */
  crash: thrown.optional(),
});

export type Thrown = z.infer<typeof thrown>;
export type TestResult = z.infer<typeof testResult>;

/** Where the harness runs: a copy, so that its frames are easy to tell from all others. */
export const harnessFolder = join(cacheFolder, "mine-harness");

/** Copies the harness to where tests without rights can read it. */
export function installHarness(): void {
  cpSync(join(import.meta.dirname, "harness"), harnessFolder, { recursive: true });
  chmodSync(cacheFolder, 0o755);
}

/** Runs one test file of the installed package in a process of its own; undefined when it hung or left no results. */
export async function runTests(environment: Environment, test: string): Promise<readonly TestResult[] | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "mine-"));
  chmodSync(folder, 0o777);
  const result = join(folder, "result.json");
  const { PATH } = process.env;
  const options = optionsOf(environment);
  const NODE_PATH = join(toolsFolder, "node_modules");
  const env = {
    PATH,
    NODE_PATH,
    HOME: folder,
    TMPDIR: folder,
    NODE_ENV: "test",
    MINE_RESULT: result,
    MINE_OPTIONS: options,
  };
  const program = [join(harnessFolder, "main.cjs"), join(environment.installed, test)];
  const child = spawn(runtime, program, {
    cwd: environment.installed,
    env,
    stdio: "ignore",
    detached: true,
    ...nobody,
  });
  const deadline = setTimeout(() => stop(child.pid), runMsMax);
  await new Promise((resolve) => child.once("close", resolve).once("error", resolve));
  clearTimeout(deadline);
  stop(child.pid);
  try {
    return existsSync(result) ? z.array(testResult).parse(JSON.parse(readFileSync(result, "utf8"))) : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Tests start processes of their own: the whole group ends. */
function stop(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group has ended.
  }
}

function optionsOf({ pair: { testerFolder } }: Environment): string {
  const { scripts, devDependencies } = readManifest(testerFolder);
  const words = [scripts.test ?? "", readIfThere(join(testerFolder, "test/mocha.opts"))].join("\n");
  const requires = [...words.matchAll(/(?:-r|--require)[ =]([\w@./-]+)/g)].flatMap(([, module]) => module ?? []);
  const exportsTests =
    /nodeunit|expresso/.test(words) || "nodeunit" in devDependencies || "expresso" in devDependencies;
  return JSON.stringify({ requires, exportsTests, tools: toolsFolder });
}

const readIfThere = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "");
mkdirSync(cacheFolder, { recursive: true });
