import type { PathIndex } from "../path-index.ts";

/** Everything about a language except its syntax and its stacks: files, imports, and runtimes. */
export interface LanguageTable {
  /** Matches the names of its files; null for a language without file names of its own. */
  readonly files: RegExp | null;
  /** The runtimes that run it, in lowercase, as a batch names them in `host.runtime.name`. */
  readonly runtimes: readonly string[];
  readonly homes: CodeHomes;
  /** Absent where imports aren't followed. */
  readonly imports?: ImportRules;
  /** The names of Markdown code blocks by file extension, where they differ from the extension. */
  readonly blockNames?: Readonly<Record<string, string>>;
  /** How it writes JSON's constants, where it doesn't write them as JSON does. */
  readonly constants?: Readonly<Record<"null" | "true" | "false", string>>;
  /** Clients read the variables of a frame after its handlers and its `finally` have run. */
  readonly readsVariablesLate?: true;
  /** Stacks name classes without folders: a file is in the folders of its package. */
  readonly printsClasses?: true;
  /** The message of an error is printed above its calls, so a line that looks like a call may belong to the message. */
  readonly printsMessageFirst?: true;
  /** Stacks are printed in V8's form, `at call (file:1:2)`, at least by some of its runtimes. */
  readonly printsV8Stacks?: true;
  /** The outermost call is printed first. */
  readonly printsOutermostFirst?: true;
  /** The printed text of an error doesn't include its type. */
  readonly hidesType?: true;
  /** Compiled and statically typed: the ranking model was trained on the failures of these languages together. */
  readonly isTrainedAsCompiled?: true;
}

/** Where a language keeps code that isn't the user's: folders of files, and packages of functions. */
export interface CodeHomes {
  readonly runtimeFolders: readonly string[];
  readonly dependencyFolders: readonly string[];
  readonly runtimePackages?: readonly string[];
  readonly dependencyPackages?: readonly string[];
  /** Names of the runtime's own files. */
  readonly runtimeFiles?: RegExp;
  /** Names of the runtime's own files that a program's may have, too, but not as they are printed: `./util.js`. */
  readonly runtimeFilesAsPrinted?: RegExp;
  /** A call without a file belongs to the runtime. */
  readonly isRuntimeWithoutFile?: true;
}

/** How a language writes imports, and how they resolve. */
export interface ImportRules {
  /** Returns the modules that a file imports, read from the text of its lines; an import in a comment counts too. */
  written(text: string): readonly string[];
  /** Returns the paths that a module's name resolves to from a file; empty when none of them is among `files`. */
  resolve(module: string, from: string, files: ImportableFiles): readonly string[];
  /** Returns the files that a file sees without importing them. Absent where there are none. */
  unsaid?(from: string, text: string, paths: PathIndex): readonly string[];
  /** Returns the module that a name imported from another may be. Absent where names are never modules. */
  memberModule?(module: string, name: string): string;
}

/** The files that an import can resolve to. */
export interface ImportableFiles {
  readonly paths: PathIndex;
  /** Returns the text of a file; absent where it would have to be fetched. */
  readonly textOf?: (path: string) => string | null;
}
