import type { PlaceSubject } from "../signals/subject.ts";
import type { Observation } from "./observation.ts";

/** What was seen of a place, and what that decides. */
export interface Verdict {
  readonly seen: "confirmed" | "refuted";
  readonly observation: Observation;
}

/** What watched runs of a failing command, or the running program, decide about places in its code. */
export interface SeenPlaces {
  /** Where the failing value was seen first; null where that isn't known. */
  readonly originPlace: PlaceSubject | null;
  /** The stop from which calls are followed in the next run, counted from 1; null where that isn't known. */
  readonly followFrom: { readonly file: string; readonly line: number; readonly nth: number } | null;
  /** Returns what was seen of a place; null where that decides nothing. */
  of(place: Pick<PlaceSubject, "file" | "line">): Verdict | null;
}
