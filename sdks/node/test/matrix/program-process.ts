import { type SpawnOptions, spawn } from "node:child_process";
import { connect } from "node:net";

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A running program, and its output so far. */
export interface ProgramProcess {
  readonly ended: Promise<Ending>;
  readonly text: { readonly stdout: string; readonly stderr: string };
  /** Resolves once this was printed; rejects if the program ends first. */
  printed(expected: string): Promise<void>;
  /** Resolves once something listens on the port; rejects if the program ends first. */
  listensOn(port: number): Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

/** A process still running then is killed, so that the test fails with its output. */
const longestRunMs = 60_000;
const probePauseMs = 20;

/** Starts a process and records its output. */
export function startProcess(command: string, args: readonly string[], options: SpawnOptions): ProgramProcess {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const text = { stdout: "", stderr: "" };
  const waiting = new Set<() => void>();
  const read = (stream: "stdout" | "stderr") => (chunk: Buffer) => {
    text[stream] += chunk;
    for (const look of waiting) look();
  };
  child.stdout?.on("data", read("stdout"));
  child.stderr?.on("data", read("stderr"));
  const deadline = setTimeout(() => child.kill("SIGKILL"), longestRunMs);
  const ended = new Promise<Ending>((resolve) => {
    child.on("close", (code, signal) => {
      clearTimeout(deadline);
      resolve({ code, signal });
    });
  });
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    ended,
    text,
    printed: (expected) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!(text.stdout + text.stderr).includes(expected)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
        void ended.then(() => reject(new Error(`it ended before it printed "${expected}"`)));
      }),
    listensOn: async (port) => {
      while (!(await canConnect(port))) if (isOver()) throw new Error("it ended before it listened");
    },
    kill: (signal) => child.kill(signal),
  };
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => setTimeout(() => resolve(false), probePauseMs));
  });
}
