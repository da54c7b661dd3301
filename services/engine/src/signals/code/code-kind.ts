import type { Category, Location } from "@whence/protocol";
import type { z } from "zod";
import type { LinkWords } from "../../words/link-words.ts";
import type { Thrown } from "../../words/thrown.ts";
import { type Described, describeKind, examplePlace } from "../kind.ts";
import type { Remedy } from "./remedy.ts";

/**
 * A kind of signal in code: its arguments, its weight for its place, and its words. Texts are excerpts of code with at
 * most 120 characters.
 */
export interface CodeKind<Name extends string, Args> {
  readonly name: Name;
  /** What was seen, for the documentation: a sentence without a full stop. */
  readonly means: string;
  readonly args: z.ZodType<Args>;
  /** Arguments that are of the kind, for the documentation and the tests. */
  readonly example: NoInfer<Args>;
  /** The words for a link of the causal chain with such a signal. */
  readonly link: LinkWords<Args & SeenInCode>;
  /** Its features in the learned ranking; absent for kinds that the recorded failures teach nothing about. */
  readonly ranks?: LearnedFrom<Args>;
  /** Set for a kind that the ranking model wasn't trained with: no feature counts it. */
  readonly isUntrained?: true;
  /** Set for a kind whose failure a restart ends for a while. */
  readonly isClearedByRestart?: true;
  /** Set for a kind that explains a failure on its own. */
  readonly decides?: Decisive<Args>;
  /** Whether the error was thrown at this place, or its message was made here, off the stack. */
  readonly throws?: "here" | "message";
  /** Set for a kind whose fix says all that the known failure's would, which doesn't know the code. */
  readonly replacesKnownFix?: true;
  /** Returns whether the place itself is wrong, rather than one that the failing value passes through. */
  readonly isOrigin?: (signal: SeenSignal<Args>) => boolean;
  /** Returns whether the code shows that it accompanied the failure rather than leading to it. */
  readonly isOnlySeen?: (args: Args) => boolean;
  /** Returns the file that it is about, where that isn't the file that it was seen in. */
  readonly file?: (args: Args) => string;
  /** Returns the fields, keys, and functions that the code didn't find there. */
  readonly missingNames?: (args: Args) => readonly string[];
  /** Returns what may repair the code there, the surest first; absent for kinds that know no repair. */
  readonly repair?: (args: Args) => readonly Remedy[];
  /** Returns the module that the runtime didn't find there. */
  readonly missingModule?: (args: Args) => string;
  /**
   * Returns the category of a failure with such a signal at its place; `said` is the category of the error's own words.
   */
  readonly category?: (said: Category) => Category | null;
}

/** What the words of a link get besides the signal's own arguments. */
export interface SeenInCode {
  readonly place: Location;
  /** The error, when the signal is its throw site. */
  readonly thrown: Thrown | null;
  /** Whether it uses a failed response without checking the status. */
  readonly isUnchecked: boolean;
  /** Whether it would use a response, but the client raised an error instead. */
  readonly isRaised?: boolean;
}

/** The part of a signal that features are made from. */
export interface SeenSignal<Args> {
  readonly args: Args;
  /** Number of steps away from the throw site along the data; 0 is the site itself. */
  readonly steps: number;
  /** Whether the trail of the value ends here. */
  readonly isEnd: boolean;
}

/**
 * The features of the learned ranking that a kind contributes, each computed from all signals of the kind; 0 without
 * any.
 */
export interface LearnedFrom<Args> {
  /** For a file, from the signals in it. */
  readonly file?: Features<Args>;
  /** The file features whose maximum among the files on the stack, or off it, is a feature of the failure. */
  readonly compared?: ComparedFeatures;
  /** For a place in a file, from the signals there. */
  readonly place?: Features<Args>;
  /** For the failure as a whole, from all signals. */
  readonly failure?: Features<Args>;
}
/** Names of features, by the side of the stack on which they are compared. */
export interface ComparedFeatures {
  readonly on: readonly string[];
  readonly off: readonly string[];
}
type Features<Args> = (signals: readonly SeenSignal<Args>[]) => Readonly<Record<string, number>>;

/** The weight of a signal that explains a failure on its own. */
export interface Decisive<Args> {
  /**
   * From 0 to 1. Set by judgment, because such signals are rare in the training cases; `pnpm bench rca --ablate` shows
   * what each contributes.
   */
  readonly weight: number;
  /** Returns whether it applies; absent when it always does. */
  readonly when?: (args: Args, failure: { readonly isUnhandledRejection: boolean }) => boolean;
}

/** Defines a kind of signal in code. */
export function codeKind<const Name extends string, Args extends object>(
  kind: CodeKind<Name, Args>,
): CodeKind<Name, Args> & Described {
  const { link, decides, ranks } = kind;
  const described = describeKind(kind, kind.args, (args) => link.what({ ...args, ...exampleSeen }), {
    ...(decides && { decides: decides.weight }),
    ...(ranks && { features: featureNames(ranks) }),
  });
  return { ...kind, described };
}

const exampleSeen: SeenInCode = {
  place: examplePlace,
  thrown: { type: "Error", message: "no stock" },
  isUnchecked: false,
};

/** The features that a kind brings: it names them without a signal, too. */
function featureNames<Args>({ file, place, failure }: LearnedFrom<Args>): string[] {
  return [file, place, failure].flatMap((features) => Object.keys(features?.([]) ?? {}));
}

/** Returns how near the nearest signal of a kind is to the throw, along the data: 1 at the throw, 0 without one. */
export function nearest(signals: readonly Pick<SeenSignal<unknown>, "steps">[]): number {
  return Math.max(0, ...signals.map(({ steps }) => 1 / (1 + steps)));
}
