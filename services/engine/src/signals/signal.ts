import type { SourceText } from "../source/source-text.ts";

/** A place in code. `source` is the text that holds it; null when only its name is known. */
export interface PlaceSubject {
  readonly kind: "place";
  /** As the source is named, or as the stack prints it. */
  readonly file: string;
  /** 1-based; null when the stack doesn't say. */
  readonly line: number | null;
  /** As a developer would call it; null at module level. */
  readonly function: string | null;
  readonly source: SourceText | null;
}

/** What a signal, a candidate, or a link of the causal chain is about. */
export type Subject =
  | PlaceSubject
  | { readonly kind: "service"; readonly service: string }
  | { readonly kind: "release"; readonly service: string; readonly release: string }
  | { readonly kind: "process"; readonly service: string; readonly host: string; readonly instance: string }
  /** A host and port, a database, a queue: something that was called and doesn't report here. */
  | { readonly kind: "dependency"; readonly name: string }
  /** An environment variable or a key of the configuration. */
  | { readonly kind: "setting"; readonly name: string; readonly where: "environment" | "configuration" }
  /** What came in from outside: a request, a file, a row. */
  | { readonly kind: "input"; readonly name: string };

/** How a value was made, from the least telling to the most. */
export const valueSources = [
  "parameter",
  "argument",
  "assignment",
  "import",
  "iteration",
  "call",
  "lookup",
  "awaited-call",
  "return",
  "returns-nothing",
  "property",
  "environment",
  "parsed-text",
  "incoming-body",
  "outside-answer",
  "answer-field",
  "setting",
  "overrun",
  "missing-key",
  "data",
  "fallback",
  "computed",
  "literal",
] as const;
export type ValueSource = (typeof valueSources)[number];

/** What was seen in code: the closed list of kinds, each with its arguments. Texts are excerpts of code, 120 characters at most. */
export interface CodeSignalArgs {
  /** The runtime threw here. `expression` is what it was about, as written. */
  readonly "throw-site": { readonly expression: string | null };
  /** A value was missing or of the wrong type when it was used here. */
  readonly "bad-value": {
    readonly expression: string;
    /** What the error says that it was: `undefined`, `null`, `nil`, `None`, `0`, `not a function`, … */
    readonly was: string;
    readonly use: "read" | "call" | "write" | "iterate" | "element" | "operand" | "argument" | "divide";
    /** The property, element or function that was wanted of it. */
    readonly member: string | null;
  };
  /** The code throws on purpose here, under this condition as written. */
  readonly "deliberate-throw": { readonly condition: string | null };
  /** One hop of the failing value, backwards. `name` is what it is called there, `code` is the expression. */
  readonly "value-step": { readonly how: ValueSource; readonly name: string; readonly code: string };
  /** A promise that nothing awaits, or that is used as if it were its value. */
  readonly "missing-await": { readonly callee: string; readonly how: "forgotten" | "in-callback" | "as-value" };
  /** What `acquire` gave isn't released on every path; `leavesAtLine` is where the function can leave early. */
  readonly "unreleased-resource": { readonly acquire: string; readonly leavesAtLine: number | null };
  /** The text of the error's message is put together here, in a file that isn't on the stack. */
  readonly "message-source": { readonly template: string };
  /** The code spells a value that the error complains of. */
  readonly "literal-in-message": { readonly value: string };
  /** A data file that can't be parsed. `isReported`: with the very problem that the error reports. */
  readonly "broken-file": { readonly format: string; readonly problem: string; readonly isReported: boolean };
  /** The path of a data file whose text was read and refused, as it is spelled here; `file` is the one that was given, if any. */
  readonly "named-file": { readonly name: string; readonly file: string };
  /** A module that is imported here, as the import spells it, and that the runtime didn't find. */
  readonly "missing-module": { readonly module: string };
  /** A name that the module doesn't export, or that it exports under another name. */
  readonly "missing-export": { readonly name: string; readonly module: string; readonly similar: string | null };
  /** An error is caught here and not passed on. */
  readonly "swallowed-error": { readonly call: string | null };
  /** A function that reaches itself again without an end that the code shows. */
  readonly recursion: { readonly function: string };
  /** A file, module-level name or field that the failing code reads and that other functions write. */
  readonly "shared-state": { readonly name: string; readonly writers: number };
}
export type CodeSignalKind = keyof CodeSignalArgs;

/** Something seen in code that bears on the cause. */
export interface CodeSignal<K extends CodeSignalKind = CodeSignalKind> {
  readonly kind: K;
  readonly subject: PlaceSubject & { readonly source: SourceText; readonly line: number };
  readonly args: CodeSignalArgs[K];
  /** Steps away from the throw site along the data; 0 is the site itself. */
  readonly steps: number;
  /** Whether the trail of the value ends here. */
  readonly isEnd: boolean;
  /** The next signal on the way to the symptom; null at the symptom and for what lies on no trail. */
  readonly towards: AnyCodeSignal | null;
}

/** Any code signal; `kind` tells the arguments apart. */
export type AnyCodeSignal = { [K in CodeSignalKind]: CodeSignal<K> }[CodeSignalKind];
