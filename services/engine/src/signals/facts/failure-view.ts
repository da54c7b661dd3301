import type { Category } from "@whence/protocol";
import type { ValueSource } from "../code/value-sources.ts";

/** The part of a failure that the weight of a fact depends on. */
export interface FailureView<Weight extends string> {
  /** The weight of each reason, from 0 to 1, by name. */
  readonly worth: Readonly<Record<Weight, number>>;
  /** The failing service. */
  readonly own: string;
  /** The category of the error's own words and codes. */
  readonly said: Category;
  /** Whether it was only announced in words, without an error. */
  readonly isAnnounced: boolean;
  readonly hasEvent: boolean;
  /** Whether a request was being served. */
  readonly hasRequest: boolean;
  /** The statuses of the related calls that failed shortly before; undefined for a call without a response. */
  readonly failedStatuses: readonly (number | undefined)[];
  /** Whether the code rejected something on purpose. */
  readonly isRejected: boolean;
  /** Returns whether the failing value passed through such a step; with `isEnd`, whether the trail ends there. */
  readonly hasStep: (how: ValueSource, isEnd?: boolean) => boolean;
  /** Returns whether calls to a service failed, or it failed at the end of the calls. */
  readonly isFailing: (service: string) => boolean;
  /** Returns whether a call to a service failed just before the error. */
  readonly hasFailedCallsTo: (service: string) => boolean;
  /** Returns whether a call of a service failed before it did, to a host that reports nothing. */
  readonly hasOnwardCall: (service: string) => boolean;
  /**
   * Returns whether something that began at a time, known to within `errorMs`, came too late to have led to the
   * failure.
   */
  readonly isAfterFailure: (at: string, errorMs: number) => boolean;
  /** Whether the failures are concentrated on some of the failing service's hosts or processes. */
  readonly isOfSomeProcesses: boolean;
  /** Whether a release of the failing service isn't ruled out. */
  readonly hasOwnRelease: boolean;
  readonly changes: ChangesView;
}

/** The changes of releases that bear on the failure. */
export interface ChangesView {
  /**
   * Returns the strongest thing that a release did to a name that the code didn't find or found to be wrong; null when
   * it did nothing to any.
   */
  readonly ofName: (service: string, release: string) => "removed" | "renamed" | "changed" | null;
  /** Returns whether every changed line of a release was read, and none bears on the failure. */
  readonly isUnchanged: (service: string, release: string) => boolean;
  /** Whether the failing service's own release changed a line that the failure runs through, or a name. */
  readonly hasOwn: boolean;
}
