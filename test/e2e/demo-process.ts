import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const repository = join(import.meta.dirname, "../..");

/** `pnpm demo` as a process. */
export interface DemoProcess {
  readonly child: ChildProcess;
  /** Returns standard output so far. */
  said(): string;
  /** Returns standard error so far. */
  complained(): string;
  /** Resolves when standard output has the text. */
  untilSaid(text: string): Promise<void>;
  /** Resolves when standard error has the text. */
  untilComplained(text: string): Promise<void>;
  /** Resolves with the exit code. */
  ended(): Promise<number | null>;
}

/** Runs `pnpm demo` as its script does. */
export function startDemo(args: readonly string[], environment: Record<string, string> = {}): DemoProcess {
  const script = ["--conditions=@whence/source", "examples/shop/demo.ts", ...args];
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, script, { cwd: repository, env: { PATH, NODE_COMPILE_CACHE, ...environment } });
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (chunk: Buffer) => {
      printed[name] += chunk.toString();
    });
  }
  const closed = once(child, "close");
  const until = async (name: keyof typeof printed, text: string): Promise<void> => {
    while (!printed[name].includes(text)) {
      await Promise.race([once(child[name], "data"), closed]);
      const hasEnded = child.exitCode !== null || child.signalCode !== null;
      if (hasEnded && !printed[name].includes(text)) throw new Error(JSON.stringify(printed));
    }
  };
  return {
    child,
    said: () => printed.stdout,
    complained: () => printed.stderr,
    untilSaid: (text) => until("stdout", text),
    untilComplained: (text) => until("stderr", text),
    async ended() {
      await closed;
      return child.exitCode;
    },
  };
}
