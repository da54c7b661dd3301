import {
  type GatheredFile,
  modelFindingSchema,
  type Observation,
  observeFinding,
  observeQuery,
  queriedSource,
  queriedTelemetrySchema,
  type SourceFiles,
} from "@whence/engine";
import { parseJson, type Report } from "@whence/protocol";
import { z } from "zod";
import { modelRunLimits } from "./limits.ts";
import type { ModelContribution } from "./model-run.ts";

const queriedSchema = z.object({ queried: queriedTelemetrySchema });
const excerptSchema = z.object({ finding: modelFindingSchema });

/** Returns what a model's findings in a report say. */
export function findingsIn({ evidence }: Pick<Report, "evidence">) {
  return evidence.flatMap(({ source, excerpt, observed_at: at }) => {
    const parsed = source.kind === "model" ? excerptSchema.safeParse(parseJson(excerpt)) : null;
    return parsed?.success ? [{ finding: parsed.data.finding, at }] : [];
  });
}

/** Returns the telemetry that a model asked for and quotes in a report. */
function queriesIn({ evidence }: Pick<Report, "evidence">): Observation[] {
  return evidence.flatMap(({ source, excerpt }) => {
    const parsed = source.name === queriedSource ? queriedSchema.safeParse(parseJson(excerpt)) : null;
    return parsed?.success ? [observeQuery(parsed.data.queried)] : [];
  });
}

/**
 * Returns what a model contributed to an earlier version of a report, to be checked again against the evidence of the
 * next one; null when nothing.
 */
export async function saidBefore(
  report: Report | undefined,
  tree: SourceFiles | null,
): Promise<ModelContribution | null> {
  const found = report ? findingsIn(report) : [];
  if (!report || found.length === 0) return null;
  const observations: Observation[] = [
    ...queriesIn(report),
    ...found.map(({ finding, at }) => observeFinding(finding, at)),
  ];
  const cited = found.flatMap(({ finding }) =>
    finding.citations.flatMap((one) => (one.kind === "source" ? one.file : [])),
  );
  const listed = new Set((await tree?.paths()) ?? []);
  const files: GatheredFile[] = [];
  for (const path of new Set(cited)) {
    const file = tree && listed.has(path) ? await tree.read(path, modelRunLimits.fileBytes) : null;
    if (file?.outcome === "read") files.push({ name: path, path, content: file.text, version: file.version });
  }
  return { observations, notChecked: [], files };
}
