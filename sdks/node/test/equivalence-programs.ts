import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Runtime } from "./runtimes.ts";
import { buildSdk } from "./sdk-build.ts";

/** `test/programs` beside the built client, in one folder: with and without it, a program is the same files. */
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

/** How a program is started. */
export interface Start {
  readonly runtime: Runtime;
  /** File in the folder of the programs. */
  readonly file: string;
  readonly args?: readonly string[] | undefined;
  readonly flags?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** How a program ended and what it printed; only process ids are masked. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program that runs. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ending>;
}

/** Starts a program. */
export function begin(folder: string, { runtime, file, args = [], flags = [], env = {} }: Start): Running {
  const child = spawn(runtime.path, [...flags, join(folder, file), ...args], {
    // A folder of its own: what one program leaves in the spool, the next would send.
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

/** Runs a program to its end, as soon as there is room for one more process. */
export async function run(folder: string, start: Start): Promise<Ending> {
  return (await runTimed(folder, start)).ending;
}

/** {@link run}, and how long it took from its start, in milliseconds. */
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
 * Without what differs between any two runs: process ids; addresses of native frames and what the loader finds
 * there, which hangs on where the code came to lie; and Node's own frames of a thread's error, which it hears of
 * before the thread's end or at it, as it comes.
 */
function masked(text: string): string {
  return text
    .replaceAll(/\(node:\d+\)/g, "(node:pid)")
    .replaceAll(/^( *\d+:) 0x[0-9a-f]{6,} .*$/gm, "$1 0xaddress")
    .replaceAll(/\b0x[0-9a-f]{6,}\b/g, "0xaddress")
    .replaceAll(/\n +at [^\n]*node:internal\/worker:\d+:\d+\)?/g, "");
}
