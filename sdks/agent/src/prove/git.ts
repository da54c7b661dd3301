import { execFile } from "node:child_process";
import { decodeText } from "../sources/read-source-file.ts";
import type { ProgramOptions } from "./run-program.ts";

/** Runs git without hooks, in English; resolves to what it printed, and rejects unless its exit code is 0. */
export interface Git {
  (...args: readonly string[]): Promise<string>;
  /** Returns a file of a commit as a checkout has it, by its path in the repository; null where there is no such text. */
  textAt(commit: string, path: string): Promise<string | null>;
  /** Returns git with another folder as its working tree, and another file as its index. */
  withTree(folder: string, index: string): (...args: readonly string[]) => Promise<string>;
}

const outputBytesMax = 64 * 1_048_576;
const settings = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false"];

/** Returns git in a folder of a checkout. It writes nothing there: it takes no locks, and refreshes no index. */
export function gitIn(cwd: string, environment: ProgramOptions["environment"]): Git {
  const own = Object.entries(environment).filter(([name]) => !name.startsWith("GIT_"));
  const env = { ...Object.fromEntries(own), LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0" };
  const bytes = (args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      const options = { cwd, env: { ...env, ...more }, maxBuffer: outputBytesMax, encoding: "buffer" } as const;
      execFile("git", [...settings, ...args], options, (error, stdout) => {
        if (error) reject(error);
        else resolve(stdout);
      });
    });
  const run = async (...given: Parameters<typeof bytes>): Promise<string> =>
    (await bytes(...given)).toString("utf8").trim();
  return Object.assign((...args: readonly string[]) => run(args), {
    textAt: async (commit: string, path: string): Promise<string | null> => {
      const found = await bytes(["cat-file", "--filters", `${commit}:${path}`]).catch(() => null);
      return found && decodeText(found);
    },
    withTree:
      (folder: string, index: string) =>
      async (...args: readonly string[]) => {
        const directory = await run(["rev-parse", "--absolute-git-dir"]);
        return run([`--git-dir=${directory}`, `--work-tree=${folder}`, ...args], { GIT_INDEX_FILE: index });
      },
  });
}
