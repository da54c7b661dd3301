import type { Report } from "@whence/protocol";
import type { EvidenceBook } from "./evidence-book.ts";
import type { Written } from "./render.ts";

/** Who made the report. The version is that of the package (a test compares them). */
export const engine: Report["engine"] = { name: "whence", version: "0.0.0" };

/** Puts a report together and says who wrote what. */
export function assemble(written: Written, book: EvidenceBook): Report {
  const report = { ...written, evidence: [...book.evidence] };
  const fields = Object.keys(report).map((field) => [field, "server" as const]);
  return { ...report, provenance: Object.fromEntries(fields), engine };
}
