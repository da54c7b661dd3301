import type { AnalysisPreview, AnalysisPreviewRequest, PreviewedException } from "@whence/protocol";
import type { ParsedError, ParsedException } from "./findings.ts";
import { SourceFiles } from "./locate/source-files.ts";
import { parseText } from "./parse/parse.ts";
import { fill } from "./prose.ts";
import { matchSignatures } from "./signatures/match.ts";
import { SourceText } from "./source-text.ts";

const exceptionsMax = 20;
const framesMax = 30;
const messageUnitsMax = 1_000;
const signaturesMax = 5;

/** What an investigation of the text would start from, as far as reading it tells. Never throws. */
export function previewText({ error_log: errorLog, files }: AnalysisPreviewRequest): AnalysisPreview {
  const error = parseText(errorLog);
  const given = new SourceFiles(
    (files ?? []).map((name) => new SourceText("source_file", name, "")),
    [],
  );
  const chosen = new Set(error.chain);
  const others = [...error.exceptions.keys()].filter((index) => !chosen.has(index));
  const listed = [...error.chain, ...others].slice(0, exceptionsMax);
  return {
    kind: kindOf(error),
    headline: error.headline,
    exceptions: listed.flatMap((index) => {
      const exception = error.exceptions[index];
      return exception ? [previewException(exception, given)] : [];
    }),
    chosen: Math.min(error.chain.length, exceptionsMax),
    chosen_because: error.chosenBecause,
    exceptions_total: error.exceptions.length,
    records: error.records.length,
    alert_system: error.alert?.system ?? null,
    signatures: matchSignatures(error)
      .slice(0, signaturesMax)
      .map(({ signature: { id, meaning, url }, groups }) => ({ id, meaning: fill(meaning, groups), url })),
    unread: [...error.unread],
  };
}

function kindOf({ exceptions, alert, records }: ParsedError): AnalysisPreview["kind"] {
  if (exceptions.length > 0) return "error";
  if (alert) return "alert";
  return records.length > 0 ? "log" : "text";
}

function previewException(exception: ParsedException, given: SourceFiles): PreviewedException {
  const { type, message, language, relation, repeats, frames } = exception;
  return {
    ...{ type, message: message.slice(0, messageUnitsMax), language, relation, repeats },
    frames: frames.slice(0, framesMax).map(({ function: name, file, line, origin }) => ({
      ...{ function: name, file, line, origin },
      // By name alone: whether the file has that line is known to whoever has the file.
      attached: file === null ? null : (given.find(file, null)?.name ?? null),
    })),
    frames_total: frames.length,
  };
}
