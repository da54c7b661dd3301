import type { SourceText } from "../source/source-text.ts";

/** A place in code. `source` is the text that contains it; null when only its name is known. */
export interface PlaceSubject {
  readonly kind: "place";
  /** As named by the source, or as printed on the stack. */
  readonly file: string;
  /** 1-based; null when the stack doesn't say. */
  readonly line: number | null;
  /** As a developer would name it; null at module level. */
  readonly function: string | null;
  readonly source: SourceText | null;
}

/** What a signal, a candidate, or a link of the causal chain is about. */
export type Subject =
  | PlaceSubject
  | { readonly kind: "service"; readonly service: string }
  | { readonly kind: "release"; readonly service: string; readonly release: string }
  | { readonly kind: "process"; readonly service: string; readonly host: string; readonly instance: string }
  /** A host and port, a database, a queue: something that was called and doesn't report to Whence. */
  | { readonly kind: "dependency"; readonly name: string }
  /** An environment variable or a configuration key. */
  | { readonly kind: "setting"; readonly name: string; readonly where: "environment" | "configuration" }
  /** Input from outside: a request, a file, a row. */
  | { readonly kind: "input"; readonly name: string };
