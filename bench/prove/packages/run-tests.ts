import { type EndedProgram, runProgram } from "../../../sdks/agent/src/prove/run-program.ts";
import type { LaidOut } from "./lay-out.ts";

const outputBytesMax = 1_000_000;
const withinMs = 120_000;

/** Runs the tests of a package once. */
export function runTests({ folder, command, environment }: LaidOut): Promise<EndedProgram> {
  const signal = AbortSignal.timeout(2 * withinMs);
  return runProgram(command, { cwd: folder, environment, onOutput: () => undefined, outputBytesMax, withinMs, signal });
}
