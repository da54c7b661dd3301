import type { Category, Location } from "@whence/protocol";
import type { z } from "zod";
import type { LinkWords } from "../../words/link-words.ts";
import type { Thrown } from "../../words/thrown.ts";

/** A kind of signal in code: its arguments, what it says for its place, and its words. Texts are excerpts of code, 120 characters at most. */
export interface CodeKind<Name extends string, Args> {
  readonly name: Name;
  /** What was seen, as the documentation says it: a sentence without a full stop. */
  readonly means: string;
  readonly args: z.ZodType<Args>;
  /** The words for the link of the causal chain that such a signal is. */
  readonly link: LinkWords<Args & SeenInCode>;
  /** What the learned ranking is given; absent for kinds that the recorded failures teach nothing about. */
  readonly ranks?: LearnedFrom<Args>;
  /** That it explains a failure on its own. */
  readonly decides?: Decisive<Args>;
  /** Whether the error was thrown at this place, or its message was made here, off the stack. */
  readonly throws?: "here" | "message";
  /** Whether the place itself is wrong, rather than passed by the failing value. */
  readonly isOrigin?: (signal: SeenSignal<Args>) => boolean;
  /** Whether the code shows that it accompanied the failure, and not that it led to it. */
  readonly isOnlySeen?: (args: Args) => boolean;
  /** The file that it is about, where that isn't the one that it was seen in. */
  readonly file?: (args: Args) => string;
  /** The category of a failure with such a signal at its place; `said` is what the error's own words speak for. */
  readonly category?: (said: Category) => Category | null;
}

/** What a link's words are given beside a signal's own arguments. */
export interface SeenInCode {
  readonly place: Location;
  /** The error, where the signal is what throws it. */
  readonly thrown: Thrown | null;
  /** Whether it goes on with an answer that failed, whose status nothing looked at. */
  readonly isUnchecked: boolean;
}

/** As much of a signal as features are made from. */
export interface SeenSignal<Args> {
  readonly args: Args;
  /** Steps away from the throw site along the data; 0 is the site itself. */
  readonly steps: number;
  /** Whether the trail of the value ends here. */
  readonly isEnd: boolean;
}

/** The features of the learned ranking that a kind brings, each from all signals of the kind; 0 without any. */
export interface LearnedFrom<Args> {
  /** Of a file, by the signals in it. */
  readonly file?: Features<Args>;
  /** Those features of a file whose maximum among the files on the stack, or off it, is a feature of the failure. */
  readonly compared?: ComparedFeatures;
  /** Of a place in a file, by the signals there. */
  readonly place?: Features<Args>;
  /** Of the failure as a whole, by all signals. */
  readonly failure?: Features<Args>;
}
/** Names of features by the side of the stack on which they are compared. */
export interface ComparedFeatures {
  readonly on: readonly string[];
  readonly off: readonly string[];
}
type Features<Args> = (signals: readonly SeenSignal<Args>[]) => Readonly<Record<string, number>>;

/** What a signal that explains a failure on its own is worth for its file. */
export interface Decisive<Args> {
  /**
   * 0 to 1. Set by judgment, since such signals are rare in the cases that the model is trained on; `pnpm bench rca
   * --ablate` shows what each gains.
   */
  readonly weight: number;
  /** Absent: always. */
  readonly when?: (args: Args, failure: { readonly isUnhandledRejection: boolean }) => boolean;
}

/** Defines a kind of signal in code. */
export function codeKind<const Name extends string, Args>(kind: CodeKind<Name, Args>): CodeKind<Name, Args> {
  return kind;
}

/** How near the nearest signal of a kind is to the throw, along the data: 1 at the throw, 0 without one. */
export function nearest(signals: readonly Pick<SeenSignal<unknown>, "steps">[]): number {
  return Math.max(0, ...signals.map(({ steps }) => 1 / (1 + steps)));
}
