import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as sdkLimits from "../src/sdk-limits.ts";
import { begin, type Ending, runTimed, type Start } from "./equivalence-programs.ts";
import { eventually } from "./polling.ts";
import { type Runtime, runtimeNamed } from "./runtimes.ts";

/** The environment of a program: its temporary folder, which contains its spool, and its service's address and key. */
export type ProgramEnvironment = Readonly<Record<string, string>> & { readonly TMPDIR: string };

/**
 * Whether a program ran so long that the time for sending at its end may have been over before it had sent anything:
 * that of an orderly exit, or `waitMs`.
 */
export function mayBeLate(ms: number, waitMs: number = sdkLimits.exitWaitMs): boolean {
  return ms >= waitMs;
}

/**
 * Runs a program to its end. On a busy machine, its time for sending may be over before it has sent everything; what it
 * left on disk is then sent by its next start. A program that ended earlier than `waitMs` has to have sent everything.
 */
export async function runUntilSent(folder: string, start: Start, waitMs?: number): Promise<Ending> {
  const env = { TMPDIR: mkdtempSync(join(folder, "tmp-")), ...start.env };
  const { ending, ms } = await runTimed(folder, { ...start, env });
  if (mayBeLate(ms, waitMs)) await sendWhatIsLeft(folder, runtimeNamed("26"), env);
  return ending;
}

/** Starts each service that left something in the spool of a temporary folder, until nothing is left there. */
export async function sendWhatIsLeft(folder: string, runtime: Runtime, env: ProgramEnvironment): Promise<void> {
  for (let [file] = spoolFiles(env); file !== undefined; [file] = spoolFiles(env)) {
    const part = partOf(file);
    const [header = ""] = readFileSync(file, "utf8").split("\n");
    const { service, env: environment } = JSON.parse(header);
    const args = [service, environment];
    const flags = ["--conditions=watched"];
    const { child, ended } = begin(folder, { runtime, file: "sends-what-is-left.cjs", args, flags, env });
    try {
      await eventually(() => !spoolFiles(env).some((name) => partOf(name) === part));
    } finally {
      child.kill("SIGKILL");
      await ended;
    }
  }
}

/** Returns the files of the spool, whose names change when another process claims them, except for the last part. */
function spoolFiles({ TMPDIR }: ProgramEnvironment): string[] {
  const names = readdirSync(TMPDIR, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".spool")).map((name) => join(TMPDIR, name));
}

const partOf = (name: string): string | undefined => name.split(".").at(-2);
