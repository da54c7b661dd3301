import { spawn } from "node:child_process";
import { StringDecoder } from "node:string_decoder";

/** How a program ended. */
export interface EndedProgram {
  /** As a shell reports it: 128 and the signal's number after a signal; null when it was stopped for taking too long. */
  readonly code: number | null;
  /** The end of its output and error output, in the order in which they came. */
  readonly output: string;
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

/** Exit code of a program that a signal ended, as in shells: SIGKILL where the number isn't known. */
const signaledCode = 137;

/** Runs a program to its end. Rejects when it can't be started, or `signal` fires. */
export function runProgram([file = "", ...args]: readonly string[], options: ProgramOptions): Promise<EndedProgram> {
  const { cwd, environment, onOutput, outputBytesMax, withinMs, signal } = options;
  // In a group of its own, so that what it started ends with it.
  const isGroup = process.platform !== "win32";
  const child = spawn(file, args, {
    cwd,
    env: { ...environment },
    stdio: ["inherit", "pipe", "pipe"],
    detached: isGroup,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    const decoder = new StringDecoder("utf8");
    stream.on("data", (chunk: Buffer) => {
      const text = decoder.write(chunk);
      onOutput(text);
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
    child.once("close", (code) => {
      ended();
      if (signal.aborted) reject(signal.reason);
      else resolve({ code: isLate ? null : (code ?? signaledCode), output });
    });
  });
}
