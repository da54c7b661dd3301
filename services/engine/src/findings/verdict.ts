import type { PlaceSubject, Subject } from "../signals/subject.ts";
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
  /** Where a call was seen to leave out the argument that failed, or what a failing test ran; neither is certain. */
  readonly likelyPlace: PlaceSubject | null;
  /** Returns whether a place is in the function of {@link likelyPlace} where that is known without its line. */
  isLikely(place: Pick<PlaceSubject, "file" | "line">): boolean;
  /** The stop from which calls are followed in the next run, counted from 1; null where that isn't known. */
  readonly followFrom: { readonly file: string; readonly line: number; readonly nth: number } | null;
  /** Returns what was seen of a place; null where that decides nothing. */
  of(place: Pick<PlaceSubject, "file" | "line">): Verdict | null;
  /** The same of the subject of a candidate. */
  about(subject: Subject): Verdict | null;
  /** Returns what was seen of a place that doesn't decide anything, as that the failing value was missing; otherwise null. */
  missingAt(place: Pick<PlaceSubject, "file" | "line">): Observation | null;
}
