import { nodeFlags } from "../environment.ts";
import { runtimeName } from "../runtime/runtime-name.ts";
import { watchEmissions } from "./emit-lookups.ts";
import type { Instrumentation } from "./instrumentation.ts";

const flag = "--unhandled-rejections";
const unsettledTopLevelAwait = 13;

/**
 * Records the exit of the process, and unhandled rejections that don't end it. Those that do are uncaught exceptions to
 * Node, which the monitor reports.
 */
export const processEvents: Instrumentation = {
  name: "process-events",
  start(recorder) {
    const mode = rejectionsMode(nodeFlags());
    const onExit = recorder.guard(() => recorder.exit(exitCode()), undefined);
    if (runtimeName() === "bun") return listenForExit(onExit);
    return watchEmissions({
      onExit,
      onRejection: recorder.guard((reason: unknown, hasListeners: boolean) => {
        const isUncaughtException = mode === "strict" || (mode === "throw" && !hasListeners);
        if (!isUncaughtException) recorder.captureUncaught(reason, "unhandledRejection", true);
      }, undefined),
    });
  },
};

/**
 * Listens for the exit in Bun, which doesn't look up `process.emit`. A rejection can't be observed there without
 * changing how it ends.
 */
function listenForExit(onExit: () => void): () => void {
  process.prependListener("exit", onExit);
  return () => {
    process.off("exit", onExit);
  };
}

/** Returns the value of the flag. The last one counts, and the command line comes after the environment. */
export function rejectionsMode(flags: readonly string[]): string {
  const values = flags.flatMap((text, index) => {
    if (text === flag) return flags[index + 1] ?? [];
    return text.startsWith(`${flag}=`) ? text.slice(flag.length + 1) : [];
  });
  return values.at(-1) ?? "throw";
}

/** Returns the exit code. A listener of Node's sets 13 only later. */
function exitCode(): number {
  const awaitsForEver = process.listeners("exit").some(({ name }) => name === "handleProcessExit");
  return Number(process.exitCode ?? (awaitsForEver ? unsettledTopLevelAwait : 0));
}
