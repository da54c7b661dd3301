import type { Evidence } from "@whence/protocol";
import type { AnyFact, Fact } from "../signals/fact.ts";

/** Evidence that has no number and no words yet: both come with its citation. */
export type Observation<Of extends AnyFact = Fact> = Omit<Evidence, "id" | "summary"> & {
  /** What it shows; ranking and words are made from it. */
  readonly fact: Of;
};
