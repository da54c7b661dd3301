import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesOfDiff, withDiff } from "@whence/protocol";
import { readCaseFile } from "../corpora/case-files.ts";
import type { CorpusCase } from "../corpora/corpus-case.ts";
import type { App } from "../mutate/app.ts";
import { type Execution, execute } from "../mutate/execute.ts";
import { layOut } from "../mutate/sandbox.ts";

/** What a patched program did: as the program without the mistake, healthy with another output, or it failed. */
export type Outcome = "same" | "healthy" | "failed";

/** A busy machine must not end a program that is only slow. */
const patient = { env: {}, timeLimitMs: 30_000 };
/** Of a program without a mistake: one whose own timeouts are short may fail on a busy machine. */
const triesMax = 4;

/** Runs programs with their mistake patched, each app in one folder of its own. */
export class PatchedRuns {
  readonly #folders = new Map<App, Promise<Unmutated>>();

  /** Applies a diff to the mutated program and runs it once. `installedIn` is the folder that the case left out of names. */
  async run(app: App, read: CorpusCase, diff: string, installedIn: string): Promise<Outcome> {
    const { folder, output } = await this.#unmutated(app);
    const mutated = new Set((read.edits ?? []).map(({ file }) => file));
    const patched = filesOfDiff(diff).map(({ path, part }) => ({ file: join(installedIn, path), part }));
    const files = new Set([...mutated, ...patched.map(({ file }) => file)]);
    const texts = new Map([...files].map((file) => [file, readCaseFile(read, file) ?? ""]));
    const before = new Map([...files].map((file) => [file, readCaseFile({ ...read, edits: [] }, file) ?? ""]));
    for (const { file, part } of patched) {
      const text = withDiff(texts.get(file) ?? "", part);
      if (text === null) throw new Error(`the patch of ${read.id} doesn't apply`);
      texts.set(file, text);
    }
    try {
      for (const [file, text] of texts) writeFileSync(join(folder, file), text);
      const run = await execute(app, folder, patient);
      if (!isHealthy(run)) return "failed";
      return output !== null && output === outputOf(run) ? "same" : "healthy";
    } finally {
      for (const [file, text] of before) writeFileSync(join(folder, file), text);
    }
  }

  #unmutated(app: App): Promise<Unmutated> {
    const known = this.#folders.get(app) ?? prepare(app);
    this.#folders.set(app, known);
    return known;
  }
}

/** A program without a mistake. */
interface Unmutated {
  readonly folder: string;
  /** What it prints; null when that differs from run to run. */
  readonly output: string | null;
}

async function prepare(app: App): Promise<Unmutated> {
  const [folder = ""] = await layOut(app, 1);
  const first = await untilHealthy(app, folder);
  const second = await untilHealthy(app, folder);
  if (!isHealthy(first)) throw new Error(`${app.name} fails without a mistake:\n${first.stderr}`);
  return { folder, output: outputOf(first) === outputOf(second) ? outputOf(first) : null };
}

/** Runs a program again as long as it fails, since a busy machine may be the reason; returns the last run. */
async function untilHealthy(app: App, folder: string): Promise<Execution> {
  let run = await execute(app, folder, patient);
  for (let tries = 1; tries < triesMax && !isHealthy(run); tries++) run = await execute(app, folder, patient);
  return run;
}

function isHealthy({ code, stderr }: Execution): boolean {
  return code === 0 && !/^\s+at |^Traceback/m.test(stderr);
}

function outputOf({ stdout, stderr }: Execution): string {
  return `${stdout}\n${stderr}`;
}
