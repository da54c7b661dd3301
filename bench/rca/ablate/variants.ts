import { families } from "@whence/engine/ranking";

/** The parts left out of the ranking to measure their contribution. */
export interface Variant {
  readonly name: string;
  /** Features that the models are trained without. */
  readonly without: readonly string[];
  /** Kinds of signals that explain a failure on their own and are left out. */
  readonly not_decisive: readonly string[];
  /** Whether only files in the stack may be named. */
  readonly stack_only: boolean;
  /** The first seed with which the models are trained. */
  readonly seed: number;
}

/** The seed of the shipped models. */
const seed = 20_261_122;
const otherSeed = 1;

/** The variant that leaves nothing out, which the others are compared with. */
export const nothing = "nothing";

/**
 * Features by what they describe, those of signals aside, which their kinds name. Names are separated by `|`; each
 * includes its comparisons of the stack with other files.
 */
const groups: Readonly<Record<string, string>> = {
  "place on the stack": "stackRank|stackTop|stackSecond|frameRank|frameShare|outermost|isModuleLevel",
  "own code on the stack": "ownRank|ownFirst|ownSecond|outermostOwn|isInstalled|isProject|calledRank",
  tests: "isTest",
  "code of another version": "anchored|failureAnchored",
  "same package or folder as the top frame": "samePackage|sameFolder",
  "size of the function on the stack": "functionSize",
  "size and kind of file": "size|functions|isData",
  imports: "importedFromTop|importedFromStack|importsTop|importsStack|importers",
  "calls from the stack": "calledFromStack",
  "words of the message": "messageWords",
  "words of the failing lines": "lineWords",
  "words of the failing function": "functionWords",
  "code that writes the missing member": "memberWritten",
  "number of signals": "signals|evidence",
};
const kinds = families.flatMap(({ kinds: ofFamily }) => ofFamily);
const failure = /^failure[A-Z]/;
const comparison = /^failure-(?:on|off)-/;
const composed = /^(?:code|near)-/;
const traced = /(?:^|-)(?:signal|step|trail|end|memberWritten|evidence)|^failure(?:Deliberate|BadValue|Steps)$/;

/** Returns every variant for models with `features`; the first one leaves nothing out. */
export function variantsOf(features: readonly string[]): Variant[] {
  const without = (name: string, isLeftOut: (feature: string) => boolean): Variant => ({
    ...{ name, without: features.filter(isLeftOut), not_decisive: [], stack_only: false, seed },
  });
  const withoutMembers = (name: string, members: readonly string[]): Variant =>
    without(name, (feature) => members.includes(feature.replace(comparison, "")));
  const all = without(nothing, () => false);
  return [
    all,
    { ...all, name: "nothing, only other seeds", seed: otherSeed },
    { ...all, name: "candidates off the stack", stack_only: true },
    ...kinds.flatMap(({ name, worth: { decides } }) =>
      decides === undefined ? [] : [{ ...all, name: `decisive: ${name}`, not_decisive: [name] }],
    ),
    without("everything the tracer finds", (feature) => traced.test(feature)),
    without("kind of failure", (feature) => failure.test(feature)),
    without("what code is made of", (feature) => composed.test(feature)),
    without("the stack compared with other files", (feature) => comparison.test(feature)),
    ...Object.entries(groups).map(([name, members]) => withoutMembers(name, members.split("|"))),
    ...kinds.flatMap(({ name, worth: { features: own } }) => (own ? [withoutMembers(`signal: ${name}`, own)] : [])),
  ];
}
