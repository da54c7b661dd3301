import { type IncidentStep, type Report, reportSchema, verifyReport } from "@whence/protocol";
import { expect } from "vitest";
import { collectEvidence } from "../src/collect-evidence.ts";
import type { AnnouncedFailure } from "../src/findings/announced-failure.ts";
import type { InvestigationSubject } from "../src/findings/investigation-subject.ts";
import { type InvestigationPorts, investigate } from "../src/investigate.ts";
import type { Collector } from "../src/observe/collector.ts";

const clock = (): number => Date.parse("2026-03-01T10:00:05.000Z");

export interface Investigated {
  readonly report: Report;
  readonly steps: readonly IncidentStep["step"][];
}

/** Investigates, and holds the report to what every report must satisfy. */
export async function investigated(
  subject: InvestigationSubject,
  collectors: readonly Collector[] = [],
  others: Pick<InvestigationPorts, "messages"> = {},
): Promise<Investigated> {
  const steps: IncidentStep["step"][] = [];
  const onStep = async (step: IncidentStep["step"]): Promise<void> => {
    steps.push(step);
  };
  const { signal } = new AbortController();
  const collected = () => collectEvidence(collectors, subject, signal);
  const report = await investigate(subject, { collected, clock, onStep, ...others }, signal);
  expect(reportSchema.safeParse(report).error).toBeUndefined();
  expect(verifyReport(report)).toEqual([]);
  return { report, steps };
}

/** Where and since when something fails, by an alert. Telemetry knows nothing about it. */
export const announced: AnnouncedFailure = {
  ...{ service: "checkout", env: "PROD", release: null, at: "2026-03-01T10:00:00.000Z", isInTelemetry: false },
};

/** The text of an alert. */
export function announcedSubject(
  errorLog: string,
  about = announced,
  files: Readonly<Record<string, string>> = {},
): InvestigationSubject {
  const { incident } = textSubject(errorLog);
  const given = Object.entries(files).map(([name, content]) => ({ name, content }));
  return {
    incident: { ...incident, service: about.service, env: about.env },
    input: { kind: "text", errorLog, files: given, about },
  };
}

/** A pasted log, with files. */
export function textSubject(errorLog: string, files: Readonly<Record<string, string>> = {}): InvestigationSubject {
  return {
    incident: { id: "inc_2", service: null, env: null, fingerprint: null },
    input: {
      kind: "text",
      errorLog,
      files: Object.entries(files).map(([name, content]) => ({ name, content })),
    },
  };
}
