import { count, percent } from "../../words/prose.ts";

/** What each step of an investigation found, as a line without a full stop. */
export const steps = {
  parsed: (
    error: { readonly type: string; readonly frames: number; readonly causes: number } | null,
    errors: number,
  ): string => {
    if (error === null) return "no error found";
    const causes = error.causes === 0 ? "" : `, caused by ${count(error.causes, "other error")}`;
    return `${error.type} with ${count(error.frames, "frame")}${causes}; ${count(errors, "error")} in all`;
  },
  ended: (processes: number, kind: string): string => `${count(processes, "process", "processes")} ended: ${kind}`,
  located: (shown: number, frames: number, signals: number): string =>
    `${shown} of ${count(frames, "frame")} are in the code that was given, with ${count(signals, "signal")}`,
  collected: (pieces: number, late: number): string =>
    `${count(pieces, "piece")} of evidence from telemetry${late === 0 ? "" : `; ${count(late, "collector")} didn't answer`}`,
  matched: (ids: readonly string[]): string =>
    ids.length === 0 ? "no known failure matches" : `known failure: ${ids.join(", ")}`,
  ranked: (causes: number, probability: number): string =>
    `${count(causes, "possible cause")}, the first at ${percent(probability)}`,
  verified: (pieces: number, dropped: readonly string[]): string =>
    dropped.length === 0
      ? `all ${count(pieces, "piece")} of evidence hold`
      : `${count(dropped.length, "statement")} dropped: ${dropped[0]}`,
  reported: (score: number): string => `confidence ${percent(score)}`,
} as const;
