import { spawn } from "node:child_process";
import type { Intercepted, Sink } from "./sink.ts";

/** What the program was made to tell. */
export interface Run {
  readonly intercepted: readonly Intercepted[];
  /** Why there is nothing to look at; undefined when there is. */
  readonly problem: string | undefined;
}

const outputKeptMax = 2_000;

/**
 * Runs a program with the canaries preloaded and its events going to the sink, until they are there and `watchMs` more
 * have passed, or `waitMs` went by without them. Then it is ended.
 */
export async function runProgram(
  command: readonly string[],
  environment: NodeJS.ProcessEnv,
  sink: Sink,
  { waitMs, watchMs }: { waitMs: number; watchMs: number },
): Promise<Run> {
  const [file = "", ...args] = command;
  const child = spawn(file, args, { env: environment, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output = (output + chunk).slice(-outputKeptMax);
    });
  }
  const ended = new Promise<string>((resolve) => {
    child.on("error", (error) => resolve(`the program could not start: ${error.message}`));
    child.on("close", (code, signal) => resolve(`the program ended (${signal ?? code}) before its client was ready`));
  });
  const late = after(waitMs).then(() => `init was not called within ${waitMs / 1_000} s, or the client is off`);
  const problem = await Promise.race([sink.planted.then(() => undefined), ended, late]);
  if (problem === undefined) await Promise.race([after(watchMs), ended]);
  child.kill();
  return { intercepted: sink.intercepted, problem: problem && `${problem}\n${output.trimEnd()}`.trimEnd() };
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
