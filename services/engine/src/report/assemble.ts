import type { Report } from "@whence/protocol";
import type { EvidenceBook } from "./evidence-book.ts";
import type { Written } from "./render.ts";

/** The author of the report. The version is the package's; a test compares them. */
export const engine: Report["engine"] = { name: "whence", version: "0.0.0" };

/** Assembles a report, and records which part was written by whom: a model writes only what is quoted from it. */
export function assemble(written: Written, book: EvidenceBook): Report {
  const report = { ...written, evidence: [...book.evidence] };
  const fields = Object.keys(report).map((field) => [field, "server"] as const);
  const ofModel = report.evidence.filter(({ source }) => source.kind === "model");
  const quoted = ofModel.map(({ id }) => [`evidence.${id}`, "model"] as const);
  const [said] = ofModel;
  return {
    ...report,
    provenance: Object.fromEntries([...fields, ...quoted]),
    engine: { ...engine, ...(said && { model: said.source.name }) },
  };
}
