import type { Category, FailureWatch } from "@whence/protocol";
import type { LinkWords } from "../../words/link-words.ts";
import type { EvidenceKind } from "../evidence-kind.ts";
import type { FailureView } from "./failure-view.ts";

/** A kind of fact that a collector finds: what it says of the failure, and where a report shows it. */
export interface FactKind<Name extends string, Data, Weight extends string> extends EvidenceKind<Name, Data> {
  /** Whether all of its figures are those of the data that it was made from. */
  readonly isComputed: boolean;
  /** What can't be: an order of times, a count beyond its whole, lines that its excerpt doesn't have. */
  readonly problems?: (data: Data, excerpt: string) => readonly string[];
  /** Whether it is something that happened, for the timeline; absent: always. */
  readonly isMoment?: (data: Data) => boolean;
  /** Whether it supports a cause, rather than having happened before or beside the failure; absent: always. */
  readonly isSupport?: (data: Data, failure: Pick<FailureView<never>, "isAnnounced">) => boolean;
  /** What it says was called, and how the calls ended; `own` is the failing service. */
  readonly called?: (data: Data, own: string | null) => readonly CalledPlace[];
  /** The names of the weights that its reasons are made of. */
  readonly weights?: readonly Weight[];
  /** The service that it speaks against, and how much; null when it speaks against none. */
  readonly reason?: (data: Data, failure: FailureView<Weight>) => Reason | null;
  /** What must be seen next if it is the cause. */
  readonly predicts?: (data: Data) => readonly FailureWatch["kind"][];
  /** The words for the link of the causal chain that it is, where it is one. */
  readonly link?: LinkWords<never>;
}

/** What speaks against a service. */
export interface Reason {
  readonly service: string;
  /** The release that it speaks against; absent for the service as a whole. */
  readonly release?: string;
  /** 0 to 1. */
  readonly weight: number;
  /** Null when it says nothing about the kind of failure. */
  readonly category: Category | null;
}

/** Something that the failing request or job called. */
export interface CalledPlace {
  /** With its port, as the call has it; null when only the service is known. */
  readonly host: string | null;
  /** Who answers there; null when that isn't known. */
  readonly service: string | null;
  readonly hasFailed: boolean;
  /** Whether it failed with an answer, so that it was reached. */
  readonly hasAnswered: boolean;
}

/** Defines a kind of fact. */
export function factKind<const Name extends string, Data, const Weight extends string = never>(
  kind: FactKind<Name, Data, Weight>,
): FactKind<Name, Data, Weight> {
  return kind;
}

/** The problem of a part that is larger than its whole. */
export function partOfWhole(part: number, whole: number): readonly string[] {
  return part > whole ? ["a part is larger than its whole"] : [];
}

/** Whether one RFC 3339 time is after another. */
export function isLater(left: string, right: string): boolean {
  return Date.parse(left) > Date.parse(right);
}
