import { z } from "zod";
import { sourceCommitSchema } from "../releases/sources.ts";
import { testCountsSchema } from "./tried-patch.ts";

/** Bounds of an {@link UndoneChange}. */
export const undoneChangeLimits = {
  placesMax: 200,
  /** UTF-16 units. */
  fileLengthMax: 1_024,
  /** UTF-16 units. */
  diffLengthMax: 20_000,
} as const;

const { placesMax, fileLengthMax, diffLengthMax } = undoneChangeLimits;

/** The part of a change without which a failing command passes, found by undoing it in copies of the tree. */
export const undoneChangeSchema = z.object({
  /** The commit that made the change; null where it isn't committed. */
  commit: sourceCommitSchema.nullable(),
  /** Where it is, in the files as they are; those beyond the limit are left out. A file that was removed has line 1. */
  places: z
    .array(z.object({ file: z.string().max(fileLengthMax), line: z.int().min(1) }))
    .min(1)
    .max(placesMax),
  /** What undoes it: a diff that applies to the files as they are. Files with which it would be too long are left out. */
  diff: z.string().max(diffLengthMax),
  /** The tests of the command as it is and with the change undone; null where its output has no counts. */
  before: testCountsSchema.nullable(),
  after: testCountsSchema.nullable(),
});
export type UndoneChange = z.infer<typeof undoneChangeSchema>;
