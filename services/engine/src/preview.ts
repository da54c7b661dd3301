import type {
  AnalysisPreview,
  AnalysisPreviewRequest,
  PreviewedException,
  PreviewedFile,
  PreviewedFrame,
} from "@whence/protocol";
import type { ParsedError, ParsedException, ParsedFrame } from "./findings/parsed-error.ts";
import { matchSignatures } from "./match/match.ts";
import { parseText } from "./parse/parse.ts";
import { knownFailure } from "./report/known-failure.ts";
import { english } from "./report/messages.en.ts";
import { SourceText } from "./source/source-text.ts";
import { GivenFiles } from "./trace/code/given-files.ts";
import { SourceMaps } from "./trace/frames/source-maps.ts";

const exceptionsMax = 20;
const framesMax = 30;
const messageUnitsMax = 1_000;
const signaturesMax = 5;

/** Returns what an investigation of the text would start from, as far as parsing shows. Never throws. */
export function previewText({ error_log: errorLog, files }: AnalysisPreviewRequest): AnalysisPreview {
  const sources = (files ?? []).map(sourceOf);
  const error = parseText(errorLog, sources);
  const given = new GivenFiles(sources, []);
  const maps = new SourceMaps(given);
  const chosen = new Set(error.chain);
  const others = [...error.exceptions.keys()].filter((index) => !chosen.has(index));
  const listed = [...error.chain, ...others].slice(0, exceptionsMax);
  return {
    kind: kindOf(error),
    headline: error.headline,
    exceptions: listed.flatMap((index) => {
      const exception = error.exceptions[index];
      return exception ? [previewException(exception, given, maps)] : [];
    }),
    chosen: Math.min(error.chain.length, exceptionsMax),
    chosen_because: error.chosenBecause && english.chosen(error.chosenBecause),
    exceptions_total: error.exceptions.length,
    records: error.records.length,
    alert_system: error.alert?.system ?? null,
    signatures: matchSignatures(error)
      .slice(0, signaturesMax)
      .flatMap((match) => {
        const { meaning } = knownFailure(match);
        return meaning === null ? [] : [{ id: match.signature.id, meaning, url: match.signature.url }];
      }),
    unread: error.unread.map((gap) => english.gap(gap)),
  };
}

function kindOf({ exceptions, alert, records }: ParsedError): AnalysisPreview["kind"] {
  if (exceptions.length > 0) return "error";
  if (alert) return "alert";
  return records.length > 0 ? "log" : "text";
}

function sourceOf(file: PreviewedFile): SourceText {
  if (typeof file === "string") return new SourceText("source_file", file, "");
  const { name, content, lines = 1 } = file;
  return new SourceText("source_file", name, content ?? "\n".repeat(lines - 1));
}

function previewException(exception: ParsedException, given: GivenFiles, maps: SourceMaps): PreviewedException {
  const { type, message, language, relation, repeats, frames } = exception;
  return {
    type,
    message: message.slice(0, messageUnitsMax),
    language,
    relation,
    repeats,
    frames: frames.slice(0, framesMax).map((frame) => previewFrame(frame, given, maps)),
    frames_total: frames.length,
  };
}

/** Returns the place where an investigation would look for the frame. */
function previewFrame(frame: ParsedFrame, given: GivenFiles, maps: SourceMaps): PreviewedFrame {
  const { function: name, file, line, column, origin } = frame;
  // By name alone: the content isn't here, so the line can't be checked.
  const attachedTo = (path: string): string | null => given.find(path, null)?.name ?? null;
  const original = file === null || line === null ? null : maps.original(file, line, column ?? 1);
  if (file === null || line === null || original === null) {
    return { function: name, file, line, origin, attached: file === null ? null : attachedTo(file), generated: null };
  }
  const { source } = original;
  return {
    function: name,
    file: source.name,
    line: original.line,
    origin,
    generated: { file, line },
    // A source that the map embeds is attached with the map.
    attached: attachedTo(source.name) ?? attachedTo(`${file}.map`) ?? attachedTo(file),
  };
}
