import type { Category, FailureWatch } from "@whence/protocol";
import type { EvidenceKind } from "../evidence-kind.ts";
import { type Described, describeKind } from "../kind.ts";
import type { FailureView } from "./failure-view.ts";

/** A kind of fact from a collector: what it says about the failure, and where a report shows it. */
export interface FactKind<Name extends string, Data, Weight extends string> extends EvidenceKind<Name, Data> {
  /** Whether all of its figures are in the data that it was made from. */
  readonly isComputed: boolean;
  /** Whether it is there since a language model said it or asked for it, so that no conclusion of the engine's uses it. */
  readonly isFromModel?: boolean;
  /**
   * Returns what is impossible: a wrong order of times, a count larger than its total, lines that aren't in its
   * excerpt.
   */
  readonly problems?: (data: Data, excerpt: string) => readonly string[];
  /** Returns whether it is something that happened, for the timeline; absent when it always is. */
  readonly isMoment?: (data: Data) => boolean;
  /**
   * Returns whether it supports a cause, rather than having happened before or alongside the failure; absent when it
   * always does.
   */
  readonly isSupport?: (data: Data, failure: FailureTime) => boolean;
  /** Returns what was called, and how the calls ended; `own` is the failing service. */
  readonly called?: (data: Data, own: string | null) => readonly CalledPlace[];
  /** The names of the weights that it gives as reasons. */
  readonly weights?: readonly Weight[];
  /** Returns the service that it speaks against, and how strongly; null when it speaks against none. */
  readonly reason?: (data: Data, failure: FailureView<Weight>) => Reason | null;
  /** Returns what should be seen next if it is the cause. */
  readonly predicts?: (data: Data) => readonly FailureWatch["kind"][];
}

/** How the failure was learned of, what its own words say of it, and what came after it. */
export type FailureTime = Pick<FailureView<never>, "isAnnounced" | "isAfterFailure" | "said">;

/** A reason to suspect a service. */
export interface Reason {
  /** Null when it isn't known which service is at the host. */
  readonly service: string | null;
  /** The called host, when the reason is to suspect that. */
  readonly host?: string | null;
  /** The suspect release; absent for the service as a whole. */
  readonly release?: string;
  /** From 0 to 1. */
  readonly weight: number;
  /** Null when it says nothing about the kind of failure. */
  readonly category: Category | null;
}

/** Something that the failing request or job called. */
export interface CalledPlace {
  /** With the port, as in the call; null when only the service is known. */
  readonly host: string | null;
  /** The service that answers there; null when unknown. */
  readonly service: string | null;
  readonly hasFailed: boolean;
  /** Whether it failed with a response, which means that it was reached. */
  readonly hasAnswered: boolean;
}

/** Defines a kind of fact. */
export function factKind<const Name extends string, Data extends object, const Weight extends string = never>(
  kind: FactKind<Name, Data, Weight>,
): FactKind<Name, Data, Weight> & Described {
  const { weights = [] } = kind;
  return { ...kind, described: describeKind(kind, kind.data, kind.evidence, { weights }) };
}

/** Reports a part that is larger than its total. */
export function partOfWhole(part: number, whole: number): readonly string[] {
  return part > whole ? ["a part is larger than its whole"] : [];
}

/** Returns whether one RFC 3339 time is after another. */
export function isLater(left: string, right: string): boolean {
  return Date.parse(left) > Date.parse(right);
}
