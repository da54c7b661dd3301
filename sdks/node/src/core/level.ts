import { levels } from "@whence/protocol/level";

/**
 * The severity of an event, mildest first. Declared here so that the package's types need no other package; a test
 * checks it against the protocol's.
 */
export type Level = "debug" | "info" | "warning" | "error" | "critical";

/** A level, or another name for one: `fatal` for critical, `warn` for warning, `log` for info. */
export type LevelName = Level | "fatal" | "warn" | "log";

const otherNames: Readonly<Record<string, Level>> = { fatal: "critical", warn: "warning", log: "info" };

/** Returns the level with this name; undefined for anything else, since callers may not be type-checked. */
export function levelNamed(value: unknown): Level | undefined {
  if (isLevel(value)) return value;
  return typeof value === "string" && Object.hasOwn(otherNames, value) ? otherNames[value] : undefined;
}

/** Whether a value is a level: callers may not be type-checked. */
export function isLevel(value: unknown): value is Level {
  return levels.some((level) => level === value);
}
