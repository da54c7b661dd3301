import { randomUUID } from "node:crypto";
import type { EventFilter } from "../../../src/index.ts";

/** The time of the sample events. */
export const noon: number = Date.parse("2026-03-01T12:00:00.000Z");

/** All sample events of a scope, unless a test says otherwise. */
export const wide = {
  from: "2026-02-01T00:00:00.000Z",
  to: "2026-04-01T00:00:00.000Z",
  limit: 1_000,
} satisfies EventFilter;

/** A scope that no other test uses. */
export function scope(): string {
  return `org_${randomUUID()}`;
}

/** A time so many milliseconds after noon. */
export function at(ms: number): string {
  return new Date(noon + ms).toISOString();
}
