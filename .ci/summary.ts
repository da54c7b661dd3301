import { readFileSync } from "node:fs";
import { repositoryFiles } from "../test/repository-files.ts";
import { summarize } from "../test/run-summary.ts";

const { problems, line } = summarize(process.argv.slice(2).map(readResults), repositoryFiles("**/*.test.ts"));
process.stdout.write(`${[...problems, line].join("\n")}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;

/** Undefined when the runner ended before it wrote its results. */
function readResults(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    process.stdout.write(`no results: ${error instanceof Error ? error.message : String(error)}\n`);
    return undefined;
  }
}
