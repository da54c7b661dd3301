/**
 * How bad an event is, mildest first. Declared here, so that the types of the package need no other package; a test
 * proves that it is protocol's.
 */
export type Level = "debug" | "info" | "warning" | "error" | "critical";
