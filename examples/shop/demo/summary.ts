import { wordsOf } from "./check-report.ts";
import { hang } from "./hang.ts";
import type { FaultRun } from "./run-fault.ts";
import { median, targetsMs } from "./timings.ts";

const width = 100;

/** Formats each fault with its headline and outcome, the medians with their targets, and what was wrong. */
export function summaryText(runs: readonly FaultRun[]): string {
  const lines = runs.flatMap(({ fault, incident, throwToReportMs, problems }) => {
    const outcome = problems.length === 0 ? "ok" : "not ok";
    const headline = incident.report?.root_cause_summary ?? "no report";
    return [
      `  ${fault.name.padEnd(17)} ${seconds(throwToReportMs).padStart(7)}  ${outcome}`,
      ...hang("    ", `${headline} (${wordsOf(headline)} words)`, width),
    ];
  });
  const problems = runs.flatMap(({ fault, problems }) => problems.map((problem) => `  ${fault.name}: ${problem}`));
  return [
    "From the throw to the completed report:",
    ...lines,
    ...medianLines(runs),
    ...(problems.length > 0 ? ["What was wrong:", ...problems] : []),
  ].join("\n");
}

/** Returns the runs as one JSON document, for programs. */
export function toJson(runs: readonly FaultRun[]): string {
  const { crash, handled } = medians(runs);
  const document = {
    runs: runs.map(({ fault, incident, throwToReportMs, problems }) => ({
      fault: fault.name,
      throw_to_report_ms: throwToReportMs ?? null,
      problems,
      headline_words: wordsOf(incident.report?.root_cause_summary ?? ""),
      incident,
    })),
    median_ms: { crash: crash ?? null, handled: handled ?? null },
    target_ms: targetsMs,
  };
  return JSON.stringify(document, null, 2);
}

function medianLines(runs: readonly FaultRun[]): string[] {
  const found = medians(runs);
  return (["crash", "handled"] as const).flatMap((kind) => {
    const value = found[kind];
    if (value === undefined) return [];
    const name = kind === "crash" ? "median of crashes" : "median of handled errors";
    const outcome = value < targetsMs[kind] ? "within" : "BEYOND";
    return [`  ${name} ${seconds(value)}, ${outcome} the target of ${seconds(targetsMs[kind])}`];
  });
}

function medians(runs: readonly FaultRun[]): { crash: number | undefined; handled: number | undefined } {
  const of = (crashes: boolean): number | undefined =>
    median(runs.filter(({ fault }) => fault.crashes === crashes).flatMap(({ throwToReportMs: ms }) => ms ?? []));
  return { crash: of(true), handled: of(false) };
}

function seconds(ms: number | undefined): string {
  return ms === undefined ? "?" : `${(ms / 1000).toFixed(2)} s`;
}
