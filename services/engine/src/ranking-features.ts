import type { FileContent } from "@whence/protocol";
import { isUnhandledRejection } from "./findings/unhandled-rejection.ts";
import { parseText } from "./parse/parse.ts";
import { decisiveWeightsByKind } from "./rank/decisive-signals.ts";
import { placesIn } from "./rank/file-places.ts";
import { viewFailure } from "./rank/file-view.ts";
import { featuresOf } from "./rank/rank-files.ts";
import { sightOf } from "./rank/sight.ts";
import { SourceText } from "./source/source-text.ts";
import { traceError } from "./trace/trace-error.ts";

/** The features of a file, or of a place in it, as the ranking model sees them. */
export interface FeatureRow {
  readonly file: string;
  /** 1-based; null for a file as a whole. */
  readonly line: number | null;
  readonly function: string | null;
  readonly values: Readonly<Record<string, number>>;
}

/** The features of a file as a whole. */
export interface FileFeatureRow extends FeatureRow {
  /**
   * What decisive signals, which explain the failure on their own, are worth for it, from 0 to 1, by kind. The model
   * doesn't see these.
   */
  readonly decisive: Readonly<Record<string, number>>;
}

/** A training example: a failure's files and the places in them, as an investigation sees them. */
export interface RankingFeatures {
  /** The language and what is seen of the code. */
  readonly sight: string;
  readonly files: readonly FileFeatureRow[];
  readonly places: readonly FeatureRow[];
  /** Files that only a decisive signal names, because their text wasn't given. */
  readonly named: readonly Pick<FileFeatureRow, "file" | "decisive">[];
}

/** Returns the features of each file and each place of a failure. */
export async function rankingFeatures(errorLog: string, attached: readonly FileContent[]): Promise<RankingFeatures> {
  const error = parseText(errorLog, attached);
  const sources = attached.map(({ name, content }) => new SourceText("source_file", name, content));
  const view = viewFailure(error, await traceError(error, null, sources), sources);
  const decisive = decisiveWeightsByKind(view.signals, isUnhandledRejection(error, null));
  const known = new Set(view.files.map(({ name }) => name));
  return {
    sight: sightOf(view),
    files: [...featuresOf(view)].map(([{ name }, values]) => ({
      file: name,
      line: null,
      function: null,
      values,
      decisive: decisive.get(name) ?? {},
    })),
    places: view.files.flatMap((file) =>
      placesIn(file, view).map(({ line, function: name, features }) => ({
        file: file.name,
        line,
        function: name,
        values: features,
      })),
    ),
    named: [...decisive].flatMap(([file, weights]) => (known.has(file) ? [] : [{ file, decisive: weights }])),
  };
}
