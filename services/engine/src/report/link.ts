import type { Location } from "@whence/protocol";
import type { Observation } from "../findings/observation.ts";
import type { SeenInCode } from "../signals/code/code-kind.ts";
import type { AnyFact } from "../signals/fact.ts";
import type { factKinds } from "../signals/facts/kinds.ts";
import type { inputKinds } from "../signals/inputs/kinds.ts";
import type { LinksOf } from "../signals/kind.ts";
import type { outsideKinds } from "../signals/outside/kinds.ts";
import type { AnyCodeSignal } from "../signals/signal.ts";
import type { Thrown } from "../words/thrown.ts";
import type { Dependence } from "./dependence.ts";
import type { ImportBesideStack } from "./import-beside-stack.ts";

type EvidenceLinks = LinksOf<typeof factKinds> & LinksOf<typeof inputKinds> & LinksOf<typeof outsideKinds>;

/**
 * The kinds of links of the causal chain, with their arguments: kinds of evidence with words for a link, and those
 * below. Paths of places are in the form shown to readers.
 */
export interface LinkArgs extends EvidenceLinks {
  /** A response no longer has a field that the code reads. */
  readonly "changed-answer": { readonly service: string; readonly release: string; readonly field: string | null };
  readonly dependency: {
    readonly name: string;
    /** The system's code for the failure, such as `ECONNREFUSED`. */
    readonly code: string | null;
  };
  readonly setting: {
    readonly name: string;
    readonly where: "environment" | "configuration";
    readonly service: string | null;
  };
  readonly input: { readonly name: string; readonly request: string | null };
  readonly service: { readonly service: string };
  readonly code: { readonly signal: AnyCodeSignal } & SeenInCode;
  /** A call on the stack about which nothing else is known. */
  readonly frame: {
    readonly place: Location;
    readonly isInstalled: boolean;
    /** The error, where it was thrown there, below the innermost own frame. */
    readonly thrown: Thrown | null;
    /** The function of the next frame further in, and whether that is the innermost; null where it has no name. */
    readonly callee: { readonly name: string; readonly isLast: boolean } | null;
  };
  /** A place off the stack that only the ranking names, and what ties it to the failure: code, or else an import. */
  readonly "off-stack": {
    readonly place: Location;
    readonly dependence: Dependence | null;
    readonly imported: ImportBesideStack | null;
  };
  /** The error as it was thrown. */
  readonly failure: {
    readonly type: string;
    readonly message: string;
    readonly place: Location | null;
    readonly request: string | null;
    /** Present where the link before has the error already: the place only made the call that led there. */
    readonly isCaller?: true;
  };
}
export type LinkKind = keyof LinkArgs;

/** One step of the causal chain, not yet in words. */
export interface LinkOf<K extends LinkKind> {
  readonly kind: K;
  readonly args: LinkArgs[K];
  /** With the source's own path. */
  readonly location: Location | null;
  readonly service: string | null;
  readonly release: string | null;
  /** RFC 3339. */
  readonly at: string | null;
  /** At least one piece. */
  readonly evidence: readonly Observation<AnyFact>[];
}
export type Link = { [K in LinkKind]: LinkOf<K> }[LinkKind];

/** Returns whether two links are about the same line of code. */
export function isSamePlace(left: Link, right: Link): boolean {
  return (
    left.location !== null && left.location.file === right.location?.file && left.location.line === right.location.line
  );
}

/** Returns whether a link is about code that calls itself without end. */
export function isRecursionLink(link: Link): boolean {
  if (link.kind !== "code") return false;
  const { kind } = link.args.signal;
  return kind === "recursion" || kind === "own-event";
}
