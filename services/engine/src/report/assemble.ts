import type { Report } from "@whence/protocol";
import type { EvidenceBook } from "../evidence-book.ts";
import type { Findings, Ranking } from "../findings.ts";

/** Who made the report. The version is that of the package (a test compares them). */
export const engine: Report["engine"] = { name: "whence", version: "0.0.0" };

type Written = Omit<Report, "chain" | "evidence" | "confidence" | "not_checked" | "provenance" | "engine">;

/** Puts the parts together, says what was not checked, and who wrote what. */
export function assemble(findings: Findings, ranking: Ranking, written: Written, book: EvidenceBook): Report {
  const report = {
    ...written,
    chain: [],
    evidence: [...book.evidence],
    confidence: ranking.confidence,
    not_checked: [...new Set([...findings.notChecked, ...unseen(findings)])],
  };
  const fields = Object.keys(report).map((field) => [field, "server" as const]);
  return { ...report, provenance: Object.fromEntries(fields), engine };
}

function unseen({ event, files, frames, error }: Findings): string[] {
  const own = frames.filter(({ frame }) => frame.origin === "app");
  const blind = own.filter(({ place }) => place === null);
  return [
    ...error.unread,
    ...(event
      ? []
      : [
          "telemetry: a pasted text belongs to no service, so that frequency, first occurrence and neighbours are unknown",
        ]),
    ...(!event && files.length === 0 ? ["source: no file was attached, so that no code was read"] : []),
    ...(own.length > 0 && blind.length > 0
      ? [`source: ${blind.length} of ${own.length} frames of the service's own code came without their text`]
      : []),
    ...(frames.length > 0 && own.length === 0 ? ["the stack shows no frame of the service's own code"] : []),
    "integrations: none is connected, so that logs, metrics, deployments and code history elsewhere were not asked",
  ];
}
