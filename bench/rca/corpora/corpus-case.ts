import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const place = z.strictObject({
  /** Relative to `/app`, the folder in which the case ran. */
  file: z.string().min(1),
  /** Empty at module level. */
  function: z.string(),
  /** 1-based and inclusive, in the failing variant. */
  line_start: z.int().positive(),
  line_end: z.int().positive(),
});

/**
 * A failure that was executed and whose origin is known, as data: no source is stored. The files are read from the
 * installed packages when the case is used.
 */
export const corpusCase = z.strictObject({
  /** Unique in its corpus. */
  id: z.string().min(1),
  corpus: z.enum(["mined", "mutant", "tested"]),
  language: z.enum(["javascript", "typescript", "python", "go"]),
  kind: z.enum(["package", "service"]),
  /** The repository or the service: cases of one group never train and test each other. */
  group: z.string().min(1),
  /** Of a mutant: which kind of mistake was made. */
  operator: z.string().optional(),
  /**
   * What is laid out under `/app`: a folder each, from a published package (`name@version`), from one folder or file of
   * it (`name@version:path`, as for the tests of a newer version), or from `services/`.
   */
  sources: z.array(z.strictObject({ folder: z.string(), from: z.string().min(1) })).min(1),
  /** Of a mined case: the version that no longer fails. */
  fixed: z.string().optional(),
  /** The test or the program that failed. */
  test: z.string().min(1),
  /** What the run printed of the failure; the machine's paths are written as `/app/...`. */
  log: z.string().min(1),
  /** Attached to the report, relative to `/app`: the culprit, the files in the log, and distractors; 3 to 20. */
  files: z.array(z.string()).min(1).max(20),
  /** Lines that a mutation replaced; applied to the source before it is read. */
  edits: z
    .array(z.strictObject({ file: z.string(), line_start: z.int(), line_end: z.int(), text: z.string() }))
    .optional(),
  truth: place.extend({
    /** Index of the culprit's function among the frames of the first stack, 0 at the top; -1: not on it. */
    depth: z.int().min(-1),
    /** Whether the culprit's file is named by the log's stack at all. */
    on_stack: z.boolean(),
    category: z.string().optional(),
  }),
  /** Other places that count as right. */
  also: z.array(place).optional(),
});

export type CorpusCase = z.infer<typeof corpusCase>;

/** Every case below `folder`, one JSON object a line in `*.jsonl`, in the order of the file names. */
export function readCorpus(folder: string): CorpusCase[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
    .filter((line) => line !== "")
    .map((line) => corpusCase.parse(JSON.parse(line)));
}
