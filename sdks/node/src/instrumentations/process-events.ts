import { nodeFlags } from "../environment.ts";
import { runtimeName } from "../runtime/runtime-name.ts";
import { watchEmissions } from "./emit-lookups.ts";
import type { Instrumentation } from "./instrumentation.ts";

const flag = "--unhandled-rejections";
const unsettledTopLevelAwait = 13;

/**
 * The exit of the process, and unhandled rejections that don't end it. Those that do are uncaught exceptions to Node,
 * which the monitor reports.
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

/** Bun doesn't look `process.emit` up. There is no way to see a rejection there that doesn't change how it ends. */
function listenForExit(onExit: () => void): () => void {
  process.prependListener("exit", onExit);
  return () => {
    process.off("exit", onExit);
  };
}

/** The value of the flag; the last one counts, and the command line comes after the environment. */
export function rejectionsMode(flags: readonly string[]): string {
  const values = flags.flatMap((text, index) => {
    if (text === flag) return flags[index + 1] ?? [];
    return text.startsWith(`${flag}=`) ? text.slice(flag.length + 1) : [];
  });
  return values.at(-1) ?? "throw";
}

/** What the process is about to end with. A listener of Node's own sets 13, later than this is asked. */
function exitCode(): number {
  const awaitsForEver = process.listeners("exit").some(({ name }) => name === "handleProcessExit");
  return Number(process.exitCode ?? (awaitsForEver ? unsettledTopLevelAwait : 0));
}
