import { z } from "zod";
import { utf8Length } from "../text.ts";
import { firstFailingCommitSchema } from "./first-failing-commit.ts";
import { triedPatchSchema } from "./tried-patch.ts";
import { undoneChangeSchema } from "./undone-change.ts";

/** Bounds of what `whence prove` sees and sends. */
export const watchedRunLimits = {
  /** Runs of the command, the first one, which isn't watched, included. */
  provingRunsMax: 5,
  /** Patches that are tried in a copy of the tree. */
  triedPatchesMax: 2,
  watchedPlacesMax: 80,
  /** The latest stops at each place that are kept. */
  hitsPerPlaceMax: 20,
  hitsPerRunMax: 400,
  valuesPerHitMax: 16,
  /** Characters of a value or of its name. */
  watchedTextLengthMax: 200,
  /** Characters of a file's name. */
  watchedFileLengthMax: 1_024,
  callersPerHitMax: 6,
  /** Functions of one run that a failing test ran. */
  ranFunctionsMax: 200,
  /** Fields that are read first of the objects at a place. */
  fieldsPerPlaceMax: 4,
  /** UTF-8 bytes of all runs as JSON. */
  watchedRunsBytesMax: 524_288,
} as const;

const {
  provingRunsMax,
  triedPatchesMax,
  watchedPlacesMax,
  hitsPerRunMax,
  valuesPerHitMax,
  watchedTextLengthMax: textMax,
  watchedFileLengthMax,
  callersPerHitMax,
  ranFunctionsMax,
  fieldsPerPlaceMax,
  watchedRunsBytesMax,
} = watchedRunLimits;

const text = z.string().max(textMax);
const line = z.int().min(1);

/** A call in the program: names of files are those of the files that were sent. */
export const callSchema = z.object({
  file: z.string().max(watchedFileLengthMax),
  line,
  function: text.nullable(),
  /** The line where its function begins; null at module level, or where that isn't known. */
  starts: line.nullable(),
});

/** The fields through which the failing value is reached at a place: they are looked for first in each object there. */
export const placeFieldsSchema = z.array(text).max(fieldsPerPlaceMax);

/** A place in code to stop at, in the next run of the failing command or in the running program. */
export const watchPlaceSchema = callSchema.extend({
  /** The stop at this place, counted from 1, from which each call is followed; absent where none is. */
  follow_from: z.int().min(1).optional(),
  /** Whether its function is a test that failed, so that what this and the other tests ran is to be counted. */
  is_test: z.boolean().optional(),
  /** The SHA-256 of the file's text, in hex; only where a running program may be asked to watch it. */
  sha256: z.string().optional(),
  fields: placeFieldsSchema.optional(),
});
export type WatchPlace = z.infer<typeof watchPlaceSchema>;

/** A stop at a watched place. Values are written as the program's language writes them, redacted by name. */
export const hitSchema = callSchema.extend({
  /** Before a line ran, where a function returned, or where the error was thrown. */
  kind: z.enum(["reached", "returned", "threw"]),
  /** The number of this stop at its place in this thread, counted from 1; 0 for a throw and for a followed call. */
  nth: z.int().min(0),
  /** By name, those of the place's own function first. */
  values: z.record(text, text).refine((values) => Object.keys(values).length <= valuesPerHitMax, {
    message: `List should have at most ${valuesPerHitMax} values`,
  }),
  /** What the function returned; what a promise of it was resolved with, if it was. */
  returned: text.optional(),
  /** The first line of the error that was thrown. */
  error: text.optional(),
  /** The process and its thread. */
  thread: text,
  /** Milliseconds since the thread began to be watched. */
  at_ms: z.number().min(0),
  /** The calls that led there, the nearest first. */
  callers: z.array(callSchema).max(callersPerHitMax),
});
export type Hit = z.infer<typeof hitSchema>;

/** How many tests, apart from the one that failed: those that failed with an error of its type, and the others. */
const otherTests = { failed: z.int().min(0), passed: z.int().min(0) };

/** The functions of the program's own code that a failing test ran before its error was thrown. */
export const testRunSchema = z.object({
  /** The other tests of the run that were told apart. */
  ...otherTests,
  functions: z
    .array(
      z.object({
        file: z.string().max(watchedFileLengthMax),
        function: text,
        /** The line where it begins. */
        starts: line,
        /** The other tests that ran it. */
        ...otherTests,
      }),
    )
    .max(ranFunctionsMax),
});
export type TestRun = z.infer<typeof testRunSchema>;

/** One run of the failing command that was watched. */
export const watchedRunSchema = z.object({
  /** The first run isn't watched: 2, 3, … */
  run: z.int().min(2).max(provingRunsMax),
  /** Places whose code was loaded, and how often the program stopped for each; those that aren't complete were given up. */
  places: z.array(watchPlaceSchema.extend({ hits: z.int().min(0), is_complete: z.boolean() })).max(watchedPlacesMax),
  /** In the order of their time. */
  hits: z.array(hitSchema).max(hitsPerRunMax),
  /** Absent where no test was asked about, or the failing one couldn't be told from others. */
  ran: testRunSchema.optional(),
});
export type WatchedRun = z.infer<typeof watchedRunSchema>;

/** What was seen of a failure in runs of its command; `runs` is empty before the first watched one. */
export const observedSchema = z
  .object({
    runs: z.array(watchedRunSchema).max(provingRunsMax - 1),
    tried: z.array(triedPatchSchema).max(triedPatchesMax).optional(),
    since: firstFailingCommitSchema.optional(),
    undone: undoneChangeSchema.optional(),
  })
  .refine((observed) => utf8Length(JSON.stringify(observed)) <= watchedRunsBytesMax, {
    message: `Watched runs should have at most ${watchedRunsBytesMax} bytes as JSON`,
  });
export type Observed = z.infer<typeof observedSchema>;
