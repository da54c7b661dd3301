import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { allPrograms } from "./all-programs.ts";
import { findingsOf, isSameBehavior } from "./findings.ts";
import { installPrograms } from "./installed-programs.ts";
import { missingNotes, type Row, renderMatrix } from "./matrix-page.ts";
import { isCoded, type MatrixProgram } from "./matrix-program.ts";
import { type Behavior, type Mode, prepareProgram, runProgram } from "./run-program.ts";

const page = join(import.meta.dirname, "..", "..", "..", "..", "docs", "sdk", "matrix.md");
const installTimeoutMs = 300_000;
const runTimeoutMs = 300_000;
/** Names of programs, or `all` to include the heavy ones. The rows of the others don't change. */
const asked = process.env.WHENCE_MATRIX;
const programs = allPrograms.filter(isAsked);
const rows: Row[] = [];
let folder: string;

beforeAll(async () => {
  folder = await installPrograms(programs);
}, installTimeoutMs);

describe.concurrent("a program installed from the registry", { timeout: runTimeoutMs }, () => {
  it.each(programs)("behaves with the client as without it: $title", async (program) => {
    await prepareProgram(folder, program);
    for (const runtime of program.runtimes ?? ["26"]) {
      const bare = (await runProgram(folder, program, runtime, "bare")).behavior;
      await compareWith(bare, program, runtime, "zero-code");
      if (isCoded(program)) await compareWith(bare, program, runtime, "coded");
    }
  });
});

function isAsked({ name, isHeavy, needs }: MatrixProgram): boolean {
  if (needs !== undefined && !isOnPath(needs)) return false;
  return asked === undefined ? isHeavy !== true : asked === "all" || asked.split(",").includes(name);
}

function isOnPath(command: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, command)));
}

async function compareWith(bare: Behavior, program: MatrixProgram, runtime: string, mode: Mode): Promise<void> {
  const run = await runProgram(folder, program, runtime, mode);
  const isSame = isSameBehavior(run.behavior, bare, mode === "coded");
  rows.push({ program, runtime, mode, findings: findingsOf(program, run) });
  if (!isSame) expect(run.behavior).toEqual(bare);
}

describe("docs/sdk/matrix.md", () => {
  it("lists what arrived of each program; `pnpm matrix` writes it", async () => {
    const former = existsSync(page) ? readFileSync(page, "utf8") : "";
    await expect(renderMatrix(allPrograms, rows, former)).toMatchFileSnapshot(page);
  });

  it("says what to do about each fact that doesn't arrive", () => {
    expect(missingNotes(rows)).toEqual([]);
  });
});
