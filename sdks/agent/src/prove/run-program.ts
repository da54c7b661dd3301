import { spawn } from "node:child_process";
import { constants } from "node:os";
import { StringDecoder } from "node:string_decoder";

/** How a program ended. */
export interface EndedProgram {
  /** As a shell reports it: 128 and the signal's number after a signal; null when it was stopped for taking too long. */
  readonly code: number | null;
  /** The end of its output and error output, in the order in which they came. */
  readonly output: string;
  /** Whether its output was longer. */
  readonly isCut: boolean;
}

export interface ProgramOptions {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Called with each piece of output. */
  readonly onOutput: (text: string) => void;
  readonly outputBytesMax: number;
  readonly withinMs: number;
  readonly signal: AbortSignal;
}

/** The exit code of a program that a signal ended, as in shells. */
function signaledCode(signal: NodeJS.Signals | null): number {
  return 128 + (signal === null ? 0 : constants.signals[signal]);
}

/**
 * Runs a program to its end, and ends what it started with it; what left its group, and may hold its output open, isn't
 * waited for. Rejects when it can't be started, or `signal` fires.
 */
export function runProgram([file = "", ...args]: readonly string[], options: ProgramOptions): Promise<EndedProgram> {
  const { cwd, environment, onOutput, outputBytesMax, withinMs, signal } = options;
  if (signal.aborted) return Promise.reject(signal.reason);
  // In a group of its own, so that what it started ends with it.
  const isGroup = process.platform !== "win32";
  const child = spawn(file, args, {
    cwd,
    env: { ...environment },
    stdio: ["inherit", "pipe", "pipe"],
    detached: isGroup,
  });
  let output = "";
  let isCut = false;
  let chunks = 0;
  for (const stream of [child.stdout, child.stderr]) {
    const decoder = new StringDecoder("utf8");
    stream.on("data", (chunk: Buffer) => {
      chunks += 1;
      const text = decoder.write(chunk);
      onOutput(text);
      isCut ||= output.length + text.length > outputBytesMax;
      output = (output + text).slice(-outputBytesMax);
    });
  }
  return new Promise((resolve, reject) => {
    let isLate = false;
    const stop = (): void => {
      try {
        if (child.pid !== undefined) process.kill(isGroup ? -child.pid : child.pid, "SIGKILL");
      } catch {
        // It has just ended.
      }
    };
    const timer = setTimeout(() => {
      isLate = true;
      stop();
    }, withinMs);
    signal.addEventListener("abort", stop, { once: true });
    const ended = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    };
    child.once("error", (error) => {
      ended();
      reject(error);
    });
    child.once("exit", (code, killedBy) => {
      ended();
      stop();
      const settle = (): void => {
        child.stdout.destroy();
        child.stderr.destroy();
        if (signal.aborted) reject(signal.reason);
        else resolve({ code: isLate ? null : (code ?? signaledCode(killedBy)), output, isCut });
      };
      whenRead(() => chunks, settle);
    });
  });
}

/**
 * Calls back once the event loop has gone round without reading anything: what a program wrote before it exited is in
 * its pipes by then, and is read in the rounds before.
 */
function whenRead(chunks: () => number, settle: () => void, before = -1, quiet = 0): void {
  const now = chunks();
  const rounds = now === before ? quiet + 1 : 0;
  if (rounds > quietRounds) settle();
  else setImmediate(() => whenRead(chunks, settle, now, rounds));
}

const quietRounds = 3;
