import { readFileSync, writeFileSync } from "node:fs";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { hunkText, type InvestigationSubject, type Observation } from "@whence/engine";
import type { Cause, Family } from "./fault.ts";

/** An observation without what can be made again from its fact. */
export type RecordedObservation = Pick<Observation, "source" | "observed_at" | "location" | "fact">;

/** A failure of a run, as an investigation of it would find it. */
export interface RecordedCase {
  /** Of an event, or of an alert that names a service. */
  readonly kind: "event" | "alert";
  readonly subject: InvestigationSubject;
  readonly observations: readonly RecordedObservation[];
  /** What simple rules say: the service with the most errors, and the service of the first failing call. */
  readonly baselines: { readonly loudest: string | null; readonly firstFailingCall: string | null };
}

/** A run: what broke, and what the service had recorded by then. */
export interface RecordedRun {
  readonly topology: number;
  readonly operator: string;
  readonly family: Family;
  readonly seed: number;
  readonly services: number;
  readonly cause: Cause;
  readonly cases: readonly RecordedCase[];
}

const level = 19;
const windowBits = 27;

/** Runs of a file, one a line as JSON, compressed together. */
export function readRuns(path: string): RecordedRun[] {
  const params = { [constants.ZSTD_d_windowLogMax]: windowBits };
  const text = zstdDecompressSync(readFileSync(path), { params }).toString();
  return text.split("\n").flatMap((line): RecordedRun[] => (line === "" ? [] : [JSON.parse(line)]));
}

/** Writes runs as {@link readRuns} reads them. */
export function writeRuns(path: string, runs: readonly RecordedRun[]): void {
  const text = runs.map((run) => `${JSON.stringify(run)}\n`).join("");
  const params = {
    [constants.ZSTD_c_compressionLevel]: level,
    [constants.ZSTD_c_windowLog]: windowBits,
    [constants.ZSTD_c_enableLongDistanceMatching]: 1,
  };
  writeFileSync(path, zstdCompressSync(text, { params }));
}

/** The observation again, with its data as the excerpt. */
export function observationOf({ fact, ...rest }: RecordedObservation): Observation {
  const excerpt = fact.kind === "release-change" ? hunkText(fact.change.hunk) : JSON.stringify(fact);
  return { ...rest, fact, excerpt, range: null, sha256: "0".repeat(64) };
}
