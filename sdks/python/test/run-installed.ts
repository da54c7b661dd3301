import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { env } from "node:process";
import { expect, it } from "vitest";

const folder = join(import.meta.dirname, "..");
const installed = join(folder, "../../node_modules/.python/bin");

/** The tests that start servers with their workers, or dozens of programs: system tests. */
export const programTests = ["tests/test_servers.py", "tests/test_endings.py"] as const;

/** Runs a program that `sdks/python/install-tests` installs: `passed`, or what it printed. */
export function runInstalled(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(join(installed, program), args, { cwd: folder, encoding: "utf8" });
  return status === 0 ? "passed" : `${stdout}${stderr}`;
}

/** Runs pytest on files of `tests`, with its options. */
export function runPytest(...args: string[]): string {
  return runInstalled("python", "-m", "pytest", "-p", "no:cacheprovider", ...args);
}

/** Defines the tests where what they need is installed; elsewhere, one that says what to install. */
export function whereInstalled(define: () => void): void {
  if (existsSync(join(installed, "pytest"))) {
    define();
    return;
  }
  it("isn't tested without sdks/python/install-tests, which needs Python 3.10 or newer", () => {
    expect(env.WHENCE_CI_RUN, "CI installs it").toBeUndefined();
  });
}
