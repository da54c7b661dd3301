import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { DemoError } from "./demo-error.ts";
import { findPython } from "./python.ts";

const repository: string = join(import.meta.dirname, "../../..");
const readyDeadlineMs = 120_000;
const stopDeadlineMs = 10_000;
const pollIntervalMs = 25;
const outputTailLines = 20;

/** A process to start, and its readiness check. */
export interface ProcessToStart {
  /** The name in messages. */
  readonly name: string;
  /** The path from the root of the repository, or an absolute path. */
  readonly script: string;
  /** Its own variables, in addition to what every program needs. One without a value isn't set. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Ready once a GET of this URL succeeds. */
  readonly readyUrl: string;
}

/** A process that the demo started. */
export interface RunningProcess {
  readonly name: string;
  readonly pid: number | undefined;
  /** Returns its output so far. */
  output(): string;
  /** Whether it has exited. */
  hasEnded(): boolean;
  /** Resolves when it has exited. */
  readonly ended: Promise<unknown>;
  /** Sends it a signal. */
  kill(signal: NodeJS.Signals): void;
  /** Sends SIGTERM, and SIGKILL after a while; resolves when it has exited. */
  stop(): Promise<void>;
}

/** Starts a process and resolves when it is ready; rejects with the end of its output if it never is. */
export async function startProcess(what: ProcessToStart, signal: AbortSignal): Promise<RunningProcess> {
  signal.throwIfAborted();
  const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const [program, ...args] = commandOf(what.script);
  const child = spawn(program, args, {
    cwd: repository,
    env: { PATH, TMPDIR, NODE_COMPILE_CACHE, ...what.environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const running = describeChild(what.name, child);
  try {
    await untilReady(running, what.readyUrl, signal);
  } catch (error) {
    await running.stop();
    throw error;
  }
  return running;
}

function commandOf(script: string): [string, ...string[]] {
  if (script.endsWith(".py")) return [findPython() ?? "python3", script];
  return [process.execPath, "--conditions=@whence/source", script];
}

/** Returns the end of a process's output, for a message about it. */
export function outputTail({ name, output }: RunningProcess): string {
  const lines = output().trimEnd().split("\n").slice(-outputTailLines);
  return lines.join("") === "" ? `${name} printed nothing.` : `The last that ${name} printed:\n  ${lines.join("\n  ")}`;
}

function describeChild(name: string, child: ChildProcess): RunningProcess {
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
  }
  const ended = once(child, "exit");
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const stop = async (): Promise<void> => {
    if (!hasEnded()) await stopChild(child, ended);
  };
  const kill = (signal: NodeJS.Signals): void => {
    child.kill(signal);
  };
  return { name, pid: child.pid, output: () => printed, hasEnded, ended, kill, stop };
}

async function stopChild(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  const killTimer = setTimeout(() => child.kill("SIGKILL"), stopDeadlineMs);
  child.kill("SIGTERM");
  await ended;
  clearTimeout(killTimer);
}

async function untilReady(running: RunningProcess, url: string, signal: AbortSignal): Promise<void> {
  for (const deadline = Date.now() + readyDeadlineMs; Date.now() < deadline; ) {
    if (running.hasEnded()) throw new DemoError(`${running.name} ended instead of starting. ${outputTail(running)}`);
    // Refused until the process listens, which means "not yet".
    const answer = await fetch(url, { signal }).catch(() => undefined);
    if (answer?.ok) return;
    await delay(pollIntervalMs, undefined, { signal });
  }
  throw new DemoError(
    `${running.name} did not answer ${url} within ${readyDeadlineMs / 1000} s. ${outputTail(running)}`,
  );
}
