import type { Category } from "@whence/protocol";

/** A known failure that the evidence matches. */
export interface SignatureMatch {
  readonly signature: Signature;
  /** Index of the exception whose type, message, or code matched; null when the text matched. */
  readonly exception: number | null;
  readonly matched: string;
  /** The captured groups of the pattern, by name. */
  readonly groups: Readonly<Record<string, string>>;
}

/**
 * A known failure: its meaning, how to check it, and what to do. `{name}` in a text stands for the group of that name.
 */
export interface Signature {
  readonly id: string;
  readonly category: Category;
  /** Whether the platform that ended or rejected the program says so itself. */
  readonly isStated: boolean;
  /** One sentence that names the failure. */
  readonly meaning: string;
  /** A clause: an observation that confirms this failure; absent when only the error's own message says what to check. */
  readonly confirms?: string;
  /** A clause: an observation that rules this failure out; absent with the other clause. */
  readonly rulesOut?: string;
  /** What to do first; absent when nothing specific can be said. */
  readonly fixNow?: string;
  /** What keeps it from happening again; absent when nothing specific can be said. */
  readonly prevent?: string;
  /** Documentation by the project or vendor that raises the error. */
  readonly url: string;
}

/** The family of the signatures that know an error by nothing but its type. */
export const typeFamily = "types";
