import { nodeFlags } from "../options.ts";
import type { Instrumentation } from "./instrumentation.ts";

const flag = "--unhandled-rejections";

/**
 * Rejections that nobody handled and that do not end the program, so that the uncaught-exception monitor never hears of
 * them. A listener changes what Node does by default; this one is there only while it changes nothing: with the modes
 * that ignore listeners (`warn`, `none`), or beside a listener of the program's own.
 *
 * Not seen: `--unhandled-rejections=warn-with-error-code` in a program without a listener of its own.
 */
export const unhandledRejection: Instrumentation = {
  name: "unhandled-rejection",
  start(client) {
    const observe = client.guard(
      (reason: unknown) => client.captureUncaught(reason, "unhandledRejection", true),
      undefined,
    );
    const mode = rejectionsMode(nodeFlags());
    if (mode === "warn" || mode === "none") {
      process.on("unhandledRejection", observe);
      return () => {
        process.off("unhandledRejection", observe);
      };
    }
    return beside("unhandledRejection", observe);
  },
};

/** The value of the flag; the last one counts, and the command line comes after the environment. */
export function rejectionsMode(flags: readonly string[]): string {
  const values = flags.flatMap((text, index) => {
    if (text === flag) return flags[index + 1] ?? [];
    return text.startsWith(`${flag}=`) ? text.slice(flag.length + 1) : [];
  });
  return values.at(-1) ?? "throw";
}

/** Listens while, and only while, somebody else listens, too. */
function beside(event: "unhandledRejection", observe: (reason: unknown) => void): () => void {
  const others = (): number => process.listenerCount(event) - (process.listeners(event).includes(observe) ? 1 : 0);
  const follow = (): void => {
    process.off(event, observe);
    if (others() > 0) process.prependListener(event, observe);
  };
  const onNew = (name: string | symbol, listener: unknown): void => {
    if (name === event && listener !== observe && others() === 0) {
      process.off(event, observe);
      process.prependListener(event, observe);
    }
  };
  const onRemoved = (name: string | symbol, listener: unknown): void => {
    if (name === event && listener !== observe) follow();
  };
  follow();
  process.on("newListener", onNew);
  process.on("removeListener", onRemoved);
  return () => {
    process.off("newListener", onNew);
    process.off("removeListener", onRemoved);
    process.off(event, observe);
  };
}
