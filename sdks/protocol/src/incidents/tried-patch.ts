import { z } from "zod";

/** How many tests of a run passed and failed. */
export const testCountsSchema = z.object({ passed: z.int().min(0), failed: z.int().min(0) });
export type TestCounts = z.infer<typeof testCountsSchema>;

/** A patch of a report that was tried in a copy of the tree, in which the command failed without it. */
export const triedPatchSchema = z.object({
  /** The patch's own diff. */
  diff: z.string().max(20_000),
  /**
   * `repaired`: the command passes, with no fewer tests than before. `changed`: the error is gone, and something else
   * fails or is missing. `fails`: the error occurs as before.
   */
  outcome: z.enum(["repaired", "changed", "fails"]),
  /** The tests of the command without the patch and with it; null where its output has no counts. */
  before: testCountsSchema.nullable(),
  after: testCountsSchema.nullable(),
});
export type TriedPatch = z.infer<typeof triedPatchSchema>;
