import type { Category } from "@whence/protocol";
import type { ValueSource } from "../code/value-sources.ts";

/** As much of a failure as the weight of a fact depends on. */
export interface FailureView<Weight extends string> {
  /** What each reason is worth, 0 to 1, by its name. */
  readonly worth: Readonly<Record<Weight, number>>;
  /** The failing service. */
  readonly own: string;
  /** The category that the error's own words and codes speak for. */
  readonly said: Category;
  /** Whether it is known from words alone, without an error. */
  readonly isAnnounced: boolean;
  readonly hasEvent: boolean;
  /** Whether a request was being served. */
  readonly hasRequest: boolean;
  /** The statuses of the related calls that failed shortly before; undefined for one without an answer. */
  readonly failedStatuses: readonly (number | undefined)[];
  /** Whether the code refused something on purpose. */
  readonly isRejected: boolean;
  /** Whether the failing value passed a step that made it so; `isEnd`: and the trail ends there. */
  readonly hasStep: (how: ValueSource, isEnd?: boolean) => boolean;
  /** Whether calls to a service failed, or it failed where the calls lead. */
  readonly isFailing: (service: string) => boolean;
  /** Whether a call to a service failed just before the error. */
  readonly hasFailedCallsTo: (service: string) => boolean;
  /** Whether something that began then, known to `errorMs`, can't have led to the failure. */
  readonly isAfterFailure: (at: string, errorMs: number) => boolean;
  /** Whether a release of the failing service isn't ruled out. */
  readonly hasOwnRelease: boolean;
  readonly changes: ChangesView;
}

/** What releases changed that bears on the failure. */
export interface ChangesView {
  /** What a release did first to a name that the code didn't find, or found to be wrong; null when it did nothing to any. */
  readonly ofName: (service: string, release: string) => "removed" | "renamed" | "changed" | null;
  /** Whether every changed line of a release was read, and none bears on the failure. */
  readonly isUnchanged: (service: string, release: string) => boolean;
  /** Whether the failing service's own release changed a line that the failure passes, or a name. */
  readonly hasOwn: boolean;
}
