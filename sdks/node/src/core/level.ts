import { levels } from "@whence/protocol/level";

/**
 * The severity of an event, mildest first. Declared here so that the package's types need no other package; a test
 * proves that it matches the protocol's.
 */
export type Level = "debug" | "info" | "warning" | "error" | "critical";

/** Whether a value is a level: callers may not be type-checked. */
export function isLevel(value: unknown): value is Level {
  return levels.some((level) => level === value);
}
