import { z } from "zod";

const tests = z.object({ passed: z.int().min(0), failed: z.int().min(0) });

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
  before: tests.nullable(),
  after: tests.nullable(),
});
export type TriedPatch = z.infer<typeof triedPatchSchema>;
/** How many tests of a run passed and failed. */
export type TestCounts = z.infer<typeof tests>;
