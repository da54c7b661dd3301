import type { Evidence } from "@whence/protocol";
import type { AnyFact, Fact } from "../signals/fact.ts";

/** Evidence without a number and words, which come with its citation. */
export type Observation<Of extends AnyFact = Fact> = Omit<Evidence, "id" | "summary"> & {
  /** What it shows; ranking and wording are based on it. */
  readonly fact: Of;
};
