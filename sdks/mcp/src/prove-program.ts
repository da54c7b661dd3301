import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { type Incident, incidentSchema } from "@whence/protocol";

/** What a run of `whence prove` needs. */
export interface ProvedCommand {
  readonly command: readonly string[];
  readonly withinSeconds: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Called after each run of the command, with the run's number, counted from 1, and how it ended. */
  readonly onRun: (run: number, how: string) => void;
  readonly signal: AbortSignal;
}

/** The end of the error output that is kept, in characters: its last line says why there is no report. */
const keptLength = 4_000;
/** The signals that ask this process to end. */
const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const runLine = /^Run (\d)(?:, watched,)? (passed|failed|was stopped)/;

/** Runs `whence prove` and resolves with the incident; null when the command passed. Rejects with what it said. */
export async function proveProgram(proved: ProvedCommand): Promise<Incident | null> {
  const { command, withinSeconds, environment, signal } = proved;
  signal.throwIfAborted();
  const args = [...whenceProgram(), "prove", "--json", "--within", `${withinSeconds}`, "--", ...command];
  // Standard input is the protocol's: a program that read it would take messages away.
  const child = spawn(process.execPath, args, { env: { ...environment }, stdio: ["ignore", "pipe", "pipe"] });
  // On SIGINT it ends the command with all that it started.
  const stop = (): void => {
    child.kill("SIGINT");
  };
  const leave = (name: NodeJS.Signals): void => {
    stop();
    // Without a listener, this process ends as it would have.
    process.kill(process.pid, name);
  };
  signal.addEventListener("abort", stop, { once: true });
  process.once("exit", stop);
  for (const name of endingSignals) process.once(name, leave);
  const output: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
  const kept = keepEnd(child.stderr, proved.onRun);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    signal.throwIfAborted();
    const text = Buffer.concat(output).toString();
    if (text.trim() !== "") return incidentSchema.parse(JSON.parse(text));
    if (code === 0) return null;
    throw new Error(kept().trim().split("\n").at(-1));
  } finally {
    signal.removeEventListener("abort", stop);
    process.removeListener("exit", stop);
    for (const name of endingSignals) process.removeListener(name, leave);
  }
}

/** Reads the error output by line, and returns how to get its end. */
function keepEnd(stream: NodeJS.ReadableStream, onRun: ProvedCommand["onRun"]): () => string {
  const decoder = new StringDecoder("utf8");
  let kept = "";
  let line = "";
  let run = 0;
  stream.on("data", (chunk: Buffer) => {
    const text = decoder.write(chunk);
    kept = (kept + text).slice(-keptLength);
    const lines = (line + text).split("\n");
    line = (lines.pop() ?? "").slice(0, keptLength);
    for (const ended of lines) {
      const [, number, how] = runLine.exec(ended) ?? [];
      // The command's own output may look the same.
      if (how === undefined || Number(number) !== run + 1) continue;
      run += 1;
      onRun(run, how);
    }
  });
  return () => kept;
}

/** Returns the arguments with which Node runs the `whence` command of the installed package. */
function whenceProgram(): string[] {
  const manifestPath = createRequire(import.meta.url).resolve("@whence/agent/package.json");
  const folder = dirname(manifestPath);
  if (import.meta.url.endsWith(".ts")) return ["--conditions=@whence/source", join(folder, "src/main.ts")];
  const manifest: { bin: { whence: string } } = JSON.parse(readFileSync(manifestPath, "utf8"));
  return [join(folder, manifest.bin.whence)];
}
