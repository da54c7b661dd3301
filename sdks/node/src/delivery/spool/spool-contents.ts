import type { Dropped } from "@whence/protocol";
import { limits } from "@whence/protocol/limits";
import { fileSystem } from "../../runtime/file-system.ts";
import { fromJson } from "../../runtime/json.ts";
import { readProperty } from "../../runtime/read-property.ts";
import { BatchBody, type BatchHeader } from "../batch.ts";

/** A spooled event. */
interface SpooledEvent {
  readonly seq: number;
  readonly json: string;
}

/** The contents of a spool file: the events that its process couldn't send. */
export interface SpoolContents {
  readonly header: BatchHeader;
  readonly dropped: readonly Dropped[];
  readonly events: readonly SpooledEvent[];
  /** Milliseconds since 1970 of the newest event; 0 for none. */
  readonly newestAt: number;
}

/** Returns a line that lists dropped events. */
export function droppedLine(dropped: readonly Dropped[]): string {
  return JSON.stringify({ dropped });
}

/**
 * Parses a spool file; undefined without a header that says whose events it holds. Skips lines that are incomplete, or
 * that the client didn't write; the last version of an event counts.
 */
export function parseSpoolContents(text: string): SpoolContents | undefined {
  const lines = text.split("\n");
  // Usually the first line, unless an event was rescued while the first lines were being written.
  let header: BatchHeader | undefined;
  const events = new Map<number, string>();
  const dropped: Dropped[] = [];
  let newestAt = 0;
  for (const json of lines) {
    const line = fromJson(json);
    if (isHeader(line)) header ??= line;
    const seq = readProperty(line, "seq");
    const runs = readProperty(line, "dropped");
    if (typeof seq === "number") {
      events.set(seq, json);
      newestAt = Math.max(newestAt, Date.parse(String(readProperty(line, "timestamp"))) || 0);
    } else if (Array.isArray(runs)) dropped.push(...runs);
  }
  if (!header) return undefined;
  return {
    header,
    dropped: dropped.slice(0, limits.droppedRangesMax),
    events: [...events].map(([seq, json]) => ({ seq, json })),
    newestAt,
  };
}

/** Applies {@link parseSpoolContents} to a file. Rejects when it can't be read. */
export async function readSpoolContents(path: string): Promise<SpoolContents | undefined> {
  return parseSpoolContents(await fileSystem().readFile(path, "utf8"));
}

/** Removes a file that has been sent, or never will be. */
export async function removeSpoolFile(path: string): Promise<void> {
  await fileSystem().rm(path, { force: true, recursive: true });
}

/** Returns the first of `events` as one batch of their own process, and their number, which is at least one. */
export function batchOf(
  { header, dropped }: Pick<SpoolContents, "header" | "dropped">,
  events: readonly SpooledEvent[],
  now: number,
  bytesMax: number,
): { readonly json: Buffer; readonly count: number } {
  const body = new BatchBody(bytesMax);
  for (const { json } of events.slice(0, limits.batchEventsMax)) if (!body.add(json)) break;
  return { json: body.finish(header, now, dropped), count: body.count };
}

/** A shallow check is enough: only this user's own processes can write to the folder. */
function isHeader(value: unknown): value is BatchHeader {
  return typeof readProperty(value, "instance") === "string" && typeof readProperty(value, "host") === "object";
}
