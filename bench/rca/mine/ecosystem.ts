import type { Category } from "@whence/protocol";
import type { CorpusCase } from "../corpora/corpus-case.ts";
import type { Archive } from "../corpora/package-cache.ts";

/** Two consecutive published versions whose code and whose tests differ. */
export interface Pair {
  readonly name: string;
  readonly ecosystem: Ecosystem;
  /** The repository as `owner/name`, according to the newest version. */
  readonly group: string;
  readonly older: string;
  readonly newer: string;
  /** The version whose tests run: the newer one, or a slightly later one. */
  readonly tester: string;
  /** The folders of the unpacked versions. */
  readonly unpacked: { readonly older: string; readonly newer: string; readonly tester: string };
  /** The folder of the older version's code. */
  readonly olderFolder: string;
  readonly newerFolder: string;
  /** Files of the package's own code in both versions, relative to those folders. */
  readonly changed: readonly string[];
  readonly added: readonly string[];
  /** Tests that may reveal what the older version does wrong, relative to the unpacked version. */
  readonly tests: readonly string[];
}

/** An application with the older version of a package and the newer one's tests. */
export interface Environment {
  readonly pair: Pair;
  /** The folder that stands for `/app`. */
  readonly app: string;
  /** The folder of the installed code. */
  readonly installed: string;
  /** The path of the installed code, relative to `/app`. */
  readonly shown: string;
  /** Returns the real path of a path relative to `/app`. */
  readonly placeOf: (file: string) => string;
}

export interface TestResult {
  readonly name: string;
  readonly failed: boolean;
  readonly ended: boolean;
  /** The error that the test threw, unless it was an assertion. */
  readonly crash?: Thrown | undefined;
}

export interface Thrown {
  readonly message: string;
  /** The text as the runtime prints it. */
  readonly text: string;
}

/** A function with its name in a stack; offsets are characters of its file. */
export interface NamedFunction {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Rules for the origin of a runtime's errors. */
export interface CrashRules {
  /** Matches errors of the environment, or of a package that lacks what the test loads. */
  readonly notOfTheCode: RegExp;
  /** Matches the error of tests that can't be loaded because the older version lacks what they load. */
  readonly tooNew: RegExp;
  /** Returns the part of a message that may name something of the package. */
  readonly subject: (message: string) => string;
  /** Matches files of packages that check or replace things in tests, relative to `/app`. */
  readonly checkers: RegExp;
  /** Whether a line of a test threw on purpose, or used what the older version lacks. */
  readonly complains: (line: string, message: string, isNew: (word: string) => boolean) => boolean;
  /** Messages that leave no doubt about the category of the root cause. */
  readonly categories: readonly (readonly [RegExp, Category])[];
}

/** A language, its registry, and its tests, as needed for mining. */
export interface Ecosystem {
  readonly language: "javascript" | "python";
  /** The archive that contains the tests of a version. */
  readonly archive: Archive;
  readonly rules: CrashRules;
  /** Whether whitespace changes are irrelevant. */
  readonly ignoresWhiteSpace: boolean;
  /** Returns the published versions without prereleases, oldest first. */
  readonly publishedVersions: (name: string) => Promise<string[]>;
  /** Returns the repository of an unpacked version as `owner/name`; undefined when it names none. */
  readonly repositoryOf: (unpacked: string) => string | undefined;
  /** Returns the folder of an unpacked version that is installed. */
  readonly codeFolder: (unpacked: string) => string;
  /** Whether a file of a package is one of its tests, or belongs to them. */
  readonly isTestPath: (file: string) => boolean;
  /** Whether a file contains tests that can be run. */
  readonly isRunnable: (file: string) => boolean;
  /** Whether a file is code that an application runs: no test, example, or build product. */
  readonly isRuntimeCode: (file: string) => boolean;
  /** Installs what the tests of many packages need. */
  readonly start: () => Promise<void>;
  /** Prepares an application. For a first look, one with the same dependencies in other versions is enough. */
  readonly prepare: (pair: Pair, firstLook?: boolean) => Promise<Environment>;
  /**
   * Runs a test file, or `only` these tests where the runner can select them, in a process; undefined when it hung or
   * left no results.
   */
  readonly runTests: (
    environment: Environment,
    testFile: string,
    only?: readonly string[],
  ) => Promise<readonly TestResult[] | undefined>;
  /** Returns what a service would print for an error, without frames of the harness and folders of this machine. */
  readonly asServiceLog: (text: string, environment: Environment) => string;
  /** Returns every function of a file; broken code is read as far as possible. */
  readonly functionsOf: (text: string) => readonly NamedFunction[];
  /** Returns the application's files named in a log, relative to `/app`. */
  readonly filesIn: (log: string) => string[];
  /** Returns packages whose code can be attached, relative to `/app`, those of `files` first. */
  readonly packagesNear: (environment: Environment, files: readonly string[]) => string[];
  /** Returns the published package of a file; undefined when its version is unknown. */
  readonly sourceOf: (environment: Environment, file: string) => CorpusCase["sources"][number] | undefined;
}
