import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Runtime } from "./runtimes.ts";
import { buildSdk } from "./sdk-build.ts";

/** `test/programs` and the built client in one folder, so that a program's files are the same with and without it. */
export interface Programs {
  readonly folder: string;
  remove(): Promise<void>;
}

export async function preparePrograms(): Promise<Programs> {
  const parent = join(import.meta.dirname, "..", ".types");
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, "programs-"));
  const sdk = await buildSdk();
  await cp(join(import.meta.dirname, "programs"), folder, { recursive: true });
  await cp(sdk.folder, join(folder, "sdk"), { recursive: true });
  await sdk.remove();
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** How to start a program. */
export interface Start {
  readonly runtime: Runtime;
  /** A file in the programs' folder. */
  readonly file: string;
  readonly args?: readonly string[] | undefined;
  readonly flags?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** How a program ended, and its output with process ids masked. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running program. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ending>;
}

/** Starts a program. */
export function begin(folder: string, { runtime, file, args = [], flags = [], env = {} }: Start): Running {
  const child = spawn(runtime.path, [...flags, join(folder, file), ...args], {
    // A separate folder, since the next program would send what one left in the spool.
    env: { PATH: process.env.PATH, TMPDIR: mkdtempSync(join(folder, "tmp-")), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const text = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    text.stdout += chunk;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    text.stderr += chunk;
  });
  const ended = new Promise<Ending>((resolve) => {
    child.on("close", (code, signal) => {
      resolve({ code, signal, stdout: text.stdout, stderr: masked(text.stderr) });
    });
  });
  return { child, ended };
}

/** Runs a program to its end, once there is room for another process. */
export async function run(folder: string, start: Start): Promise<Ending> {
  return (await runTimed(folder, start)).ending;
}

/** Does what {@link run} does, and measures the time from its start in milliseconds. */
export async function runTimed(folder: string, start: Start): Promise<{ ending: Ending; ms: number }> {
  await takePlace();
  const startedAt = performance.now();
  const ending = await begin(folder, start).ended;
  leavePlace();
  return { ending, ms: performance.now() - startedAt };
}

const processesMax = 4;
const queue: (() => void)[] = [];
let running = 0;

async function takePlace(): Promise<void> {
  if (running >= processesMax) await new Promise<void>((resolve) => queue.push(resolve));
  running += 1;
}

function leavePlace(): void {
  running -= 1;
  queue.shift()?.();
}

/**
 * Masks what differs between runs: process ids; addresses of native frames and what the loader finds there; and Node's
 * own frames of a thread's error, which arrives before the thread's end or with it.
 */
function masked(text: string): string {
  return text
    .replaceAll(/\(node:\d+\)/g, "(node:pid)")
    .replaceAll(/^( *\d+:) 0x[0-9a-f]{6,} .*$/gm, "$1 0xaddress")
    .replaceAll(/\b0x[0-9a-f]{6,}\b/g, "0xaddress")
    .replaceAll(/\n +at [^\n]*node:internal\/worker:\d+:\d+\)?/g, "");
}
