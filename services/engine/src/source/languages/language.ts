import type { PathIndex } from "../path-index.ts";

/** What is known of a language besides the shape of its code and of its stacks: files, imports, and runtimes. */
export interface LanguageTable {
  /** The names of its files; null for one whose files aren't told by their names. */
  readonly files: RegExp | null;
  /** The runtimes that run it, in lower case, as a batch names them in `host.runtime.name`. */
  readonly runtimes: readonly string[];
  readonly homes: CodeHomes;
  /** Absent where imports aren't followed. */
  readonly imports?: ImportRules;
  /** What a code block in Markdown calls the endings of its files, where that isn't the ending itself. */
  readonly blockNames?: Readonly<Record<string, string>>;
  /** Calls are printed with their classes and without folders: a file lies in the folders of its package. */
  readonly printsClasses?: true;
  /** The message of an error is printed above its calls, so what looks like a call may belong to the message. */
  readonly printsMessageFirst?: true;
  /** Stacks are printed as V8 prints them, `at call (file:1:2)`, at least by some of its runtimes. */
  readonly printsV8Stacks?: true;
  /** The outermost call is printed first. */
  readonly printsOutermostFirst?: true;
  /** The text of an error hasn't got its type. */
  readonly hidesType?: true;
  /** Compiled and statically typed: the ranking model was trained on failures of these together. */
  readonly isTrainedAsCompiled?: true;
}

/** Where a language keeps what isn't the user's: folders of files, and packages of functions. */
export interface CodeHomes {
  readonly runtimeFolders: readonly string[];
  readonly dependencyFolders: readonly string[];
  readonly runtimePackages?: readonly string[];
  readonly dependencyPackages?: readonly string[];
  /** Names of the runtime's own files. */
  readonly runtimeFiles?: RegExp;
  /** A call without a file is the runtime's. */
  readonly isRuntimeWithoutFile?: true;
}

/** How a language writes imports, and where they lead. */
export interface ImportRules {
  /** The modules that a file names, read from the text of its lines: one in a comment counts too. */
  written(text: string): readonly string[];
  /** The paths that a module's name leads to from a file; empty when none of them is among `files`. */
  resolve(module: string, from: string, files: ImportableFiles): readonly string[];
  /** The files that a file sees without importing them. Absent where there are none. */
  unsaid?(from: string, text: string, paths: PathIndex): readonly string[];
  /** The module that a name imported from another may be. Absent where names are never modules. */
  memberModule?(module: string, name: string): string;
}

/** The files that an import can lead to. */
export interface ImportableFiles {
  readonly paths: PathIndex;
  /** The text of a file; absent where it would have to be fetched. */
  readonly textOf?: (path: string) => string | null;
}
