import { levels } from "@whence/protocol/level";

/**
 * How bad an event is, mildest first. Declared here, so that the types of the package need no other package; a test
 * proves that it is protocol's.
 */
export type Level = "debug" | "info" | "warning" | "error" | "critical";

/** Whether a caller, who may not be type-checked, named a level that there is. */
export function isLevel(value: unknown): value is Level {
  return levels.some((level) => level === value);
}
