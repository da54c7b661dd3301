import { type Level, levels } from "@whence/protocol";

const others: ReadonlyMap<string, Level> = new Map([
  ["fatal", "critical"],
  ["warn", "warning"],
  ["log", "info"],
  ["trace", "debug"],
]);

/** Returns the level that Sentry's clients name; an unknown one is `error`, as in their protocol. */
export function levelOf(name: string): Level {
  return levels.find((level) => level === name) ?? others.get(name) ?? "error";
}
