import { spawn } from "node:child_process";
import type { Intercepted, Sink } from "./sink.ts";

/** The result of running the program. */
export interface Run {
  readonly intercepted: readonly Intercepted[];
  /** Why there is nothing to report; undefined when there is something. */
  readonly problem: string | undefined;
}

const outputKeptMax = 2_000;

/**
 * Runs a program with the canaries preloaded and its events redirected to the sink: until `watchMs` after they arrived,
 * or until they haven't arrived for `waitMs`. Then ends the program.
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
    child.on("close", (code, signal) => resolve(`the program ended (${signal ?? code}) before the client was ready`));
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
