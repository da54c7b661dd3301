import type { Category } from "@whence/protocol";
import type { z } from "zod";
import type { SourceText } from "../source/source-text.ts";
import type { CodeKind, SeenSignal } from "./code/code-kind.ts";
import { codeKinds } from "./code/kinds.ts";
import type { Remedy } from "./code/remedy.ts";
import type { SentRequest } from "./sent-request.ts";
import type { PlaceSubject } from "./subject.ts";

type CodeKinds = typeof codeKinds;
export type CodeSignalKind = keyof CodeKinds;

/** What was seen in code, by its kind. */
export type CodeSignalArgs = { readonly [K in CodeSignalKind]: Readonly<z.output<CodeKinds[K]["args"]>> };

interface SignalOf<K extends CodeSignalKind> extends SeenSignal<CodeSignalArgs[K]> {
  readonly kind: K;
  readonly subject: PlaceSubject & { readonly source: SourceText; readonly line: number };
  /** What the code there requests from another service; absent where it takes in no result of a call. */
  readonly request?: SentRequest;
  /** The next signal on the way to the symptom; null at the symptom, and for a signal that isn't on a trail. */
  readonly towards: AnyCodeSignal | null;
}

/** Something seen in code that bears on the cause, with the arguments of its kind. */
export type CodeSignal<K extends CodeSignalKind = CodeSignalKind> = { [P in K]: SignalOf<P> }[K];
export type AnyCodeSignal = CodeSignal;

const table: { readonly [K in CodeSignalKind]: CodeKind<K, CodeSignalArgs[K]> } = codeKinds;

/** Returns the kind of a signal. */
export function kindOf<K extends CodeSignalKind>({ kind }: { readonly kind: K }): CodeKind<K, CodeSignalArgs[K]> {
  return table[kind];
}

/** Returns whether the place of a signal is wrong itself, rather than one that the failing value passes through. */
export function isOrigin<K extends CodeSignalKind>(signal: CodeSignal<K>): boolean {
  return kindOf<K>(signal).isOrigin?.(signal) ?? false;
}

/** Returns whether the features of the learned ranking count a kind of signal. */
export function isTrained<K extends CodeSignalKind>(kind: K): boolean {
  return kindOf<K>({ kind }).isUntrained !== true;
}

/** Returns whether what to do about a signal takes the place of what the known failure advises. */
export function replacesKnownFix<K extends CodeSignalKind>(signal: CodeSignal<K>): boolean {
  return kindOf<K>(signal).replacesKnownFix === true;
}

/** Returns whether the code shows that it accompanied the failure rather than leading to it. */
export function isOnlySeen<K extends CodeSignalKind>(signal: CodeSignal<K>): boolean {
  return kindOf<K>(signal).isOnlySeen?.(signal.args) ?? false;
}

/** Returns the file that a signal is about, where that isn't the file that it was seen in; otherwise null. */
export function namedFile<K extends CodeSignalKind>(signal: CodeSignal<K>): string | null {
  return kindOf<K>(signal).file?.(signal.args) ?? null;
}

/** Returns the fields, keys, and functions that the code didn't find at a signal. */
export function missingIn<K extends CodeSignalKind>(signal: CodeSignal<K>): readonly string[] {
  return kindOf<K>(signal).missingNames?.(signal.args) ?? [];
}

/** Returns the module that the runtime didn't find at a signal; null when it is about none. */
export function missingModuleOf<K extends CodeSignalKind>(signal: CodeSignal<K>): string | null {
  return kindOf<K>(signal).missingModule?.(signal.args) ?? null;
}

/** Returns what the kind of a signal knows to repair, the surest first. */
export function remediesOf<K extends CodeSignalKind>(signal: CodeSignal<K>): readonly Remedy[] {
  return kindOf<K>(signal).repair?.(signal.args) ?? [];
}

/** Returns the weight of a signal for its file on its own, from 0 to 1. */
export function decisiveWeight<K extends CodeSignalKind>(
  signal: CodeSignal<K>,
  failure: { readonly isUnhandledRejection: boolean },
): number {
  const { decides } = kindOf<K>(signal);
  return decides && (decides.when?.(signal.args, failure) ?? true) ? decides.weight : 0;
}

/**
 * Returns the category of a failure by the kinds of signals at its place; null when none of them shows it. `said` is
 * the category of the error's own words.
 */
export function categoryOfKinds(signals: readonly AnyCodeSignal[], said: Category): Category | null {
  const seen = new Set(signals.map(({ kind }) => kind));
  for (const { name, category } of Object.values(codeKinds)) {
    const found = seen.has(name) ? (category?.(said) ?? null) : null;
    if (found !== null) return found;
  }
  return null;
}
