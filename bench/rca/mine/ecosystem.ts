import type { Category } from "@whence/protocol";
import type { CorpusCase } from "../corpora/corpus-case.ts";
import type { Archive } from "../corpora/package-cache.ts";

/** Two consecutive published versions whose code and whose tests differ. */
export interface Pair {
  readonly name: string;
  readonly ecosystem: Ecosystem;
  /** `owner/name` of the repository, as the newest version names it. */
  readonly group: string;
  readonly older: string;
  readonly newer: string;
  /** The version whose tests run: the newer one, or one not much later. */
  readonly tester: string;
  /** Where the versions are unpacked. */
  readonly unpacked: { readonly older: string; readonly newer: string; readonly tester: string };
  /** The code of the older version. */
  readonly olderFolder: string;
  readonly newerFolder: string;
  /** Files of the package's own code that both have, relative to those folders. */
  readonly changed: readonly string[];
  readonly added: readonly string[];
  /** Tests that may know what the older version does wrong, relative to the unpacked version. */
  readonly tests: readonly string[];
}

/** An application in which the older version of a package is installed and the newer one's tests are laid out. */
export interface Environment {
  readonly pair: Pair;
  /** Stands for `/app`. */
  readonly app: string;
  /** The installed code. */
  readonly installed: string;
  /** Where the installed code is, relative to `/app`. */
  readonly shown: string;
  /** The real place of a path relative to `/app`. */
  readonly placeOf: (file: string) => string;
}

export interface TestResult {
  readonly name: string;
  readonly failed: boolean;
  readonly ended: boolean;
  /** What the test threw, unless it was an assertion. */
  readonly crash?: Thrown | undefined;
}

export interface Thrown {
  readonly message: string;
  /** As the runtime prints it. */
  readonly text: string;
}

/** A function with the name that a stack shows for it; characters of its file. */
export interface NamedFunction {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** What errors of a runtime say about where they come from. */
export interface CrashRules {
  /** Errors of the surroundings or of a package that has not what the test loads. */
  readonly notOfTheCode: RegExp;
  /** An error of tests that can't be loaded because the older version lacks what they load. */
  readonly tooNew: RegExp;
  /** The part of a message that may name something of the package. */
  readonly subject: (message: string) => string;
  /** Files of packages that check or replace things in tests, relative to `/app`. */
  readonly checkers: RegExp;
  /** Whether a line of a test threw on purpose, or used what the older version doesn't offer yet. */
  readonly complains: (line: string, message: string, isNew: (word: string) => boolean) => boolean;
  /** Messages that leave no doubt about the kind of root cause. */
  readonly categories: readonly (readonly [RegExp, Category])[];
}

/** What mining has to know of a language, its registry, and its tests. */
export interface Ecosystem {
  readonly language: "javascript" | "python";
  /** What holds the tests of a version. */
  readonly archive: Archive;
  readonly rules: CrashRules;
  /** Whether a change of white space changes nothing. */
  readonly ignoresWhiteSpace: boolean;
  /** The published versions without prereleases, oldest first. */
  readonly publishedVersions: (name: string) => Promise<string[]>;
  /** `owner/name` of the repository that an unpacked version says it is from; undefined when it names none. */
  readonly repositoryOf: (unpacked: string) => string | undefined;
  /** The folder of an unpacked version that is installed. */
  readonly codeFolder: (unpacked: string) => string;
  /** Whether a file of a package is one of its tests, or belongs to them. */
  readonly isTestPath: (file: string) => boolean;
  /** Whether a file holds tests that can be run. */
  readonly isRunnable: (file: string) => boolean;
  /** Whether a file is code that an application runs: no test, no example, no build product. */
  readonly isRuntimeCode: (file: string) => boolean;
  /** Installs what the tests of many packages need. */
  readonly start: () => Promise<void>;
  /** For a first look, an application that has the same dependencies in other versions will do. */
  readonly prepare: (pair: Pair, firstLook?: boolean) => Promise<Environment>;
  /**
   * Runs a file of tests, `only` these where the runner can choose, in a process of its own; undefined when it hung or
   * left no results.
   */
  readonly runTests: (
    environment: Environment,
    testFile: string,
    only?: readonly string[],
  ) => Promise<readonly TestResult[] | undefined>;
  /** What a service would print of an error: no frames of the harness, and no folders of this machine. */
  readonly asServiceLog: (text: string, environment: Environment) => string;
  /** Every function of a file; broken code is read as far as it goes. */
  readonly functionsOf: (text: string) => readonly NamedFunction[];
  /** The files of the application that a log names, relative to `/app`. */
  readonly filesIn: (log: string) => string[];
  /** Packages whose code can be attached, relative to `/app`: those of `files` first. */
  readonly packagesNear: (environment: Environment, files: readonly string[]) => string[];
  /** The published package that a file is from; undefined when its version is unknown. */
  readonly sourceOf: (environment: Environment, file: string) => CorpusCase["sources"][number] | undefined;
}
