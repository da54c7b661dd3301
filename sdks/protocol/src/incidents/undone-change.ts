import { z } from "zod";
import { sourceCommitSchema } from "../releases/sources.ts";
import { testCountsSchema } from "./tried-patch.ts";

/** Bounds of an {@link UndoneChange}. */
export const undoneChangeLimits = { diffLengthMax: 20_000 } as const;

/** The part of a change without which a failing command passes, found by undoing it in copies of the tree. */
export const undoneChangeSchema = z.object({
  /** The commit that made the change; null where it isn't committed. */
  commit: sourceCommitSchema.nullable(),
  /** What undoes it: a diff that applies to the files as they are. Files with which it would be too long are left out. */
  diff: z.string().max(undoneChangeLimits.diffLengthMax),
  /** The tests of the command as it is and with the change undone; null where its output has no counts. */
  before: testCountsSchema.nullable(),
  after: testCountsSchema.nullable(),
});
export type UndoneChange = z.infer<typeof undoneChangeSchema>;
