import type { LeftOut } from "../../signals/gap.ts";
import { isInstalledName, packageFolder } from "../../source/installed-package.ts";
import type { SourceText } from "../../source/source-text.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { type FoundFunction, ownName } from "./functions.ts";
import type { GivenFiles } from "./given-files.ts";
import type { Lowering } from "./ir.ts";
import { indexProgram, type Program, put } from "./program.ts";
import { blankOutside, Reading } from "./reading.ts";

/** The given files, each parsed once, on first access, and within the limits of {@link Reading}. */
export class Codebase {
  readonly files: GivenFiles;
  readonly #lowerings: ReadonlyMap<Dialect, Lowering>;
  readonly #reading: Reading;
  readonly #nearFolders: readonly string[];
  readonly #variables: ReadonlySet<string> | null;
  readonly #read = new Map<SourceText, Program | null>();
  #all: readonly Program[] | undefined;
  #functions: ReadonlyMap<string, readonly FoundFunction[]> | undefined;

  /**
   * `onStack` are the positions in each file that the stack names, `variables` the environment variables that were set;
   * null when that isn't known.
   */
  constructor(
    files: GivenFiles,
    lowerings: ReadonlyMap<Dialect, Lowering>,
    onStack: ReadonlyMap<SourceText, readonly number[]>,
    variables: ReadonlySet<string> | null,
  ) {
    this.#variables = variables;
    this.files = files;
    this.#lowerings = lowerings;
    this.#reading = new Reading(onStack);
    this.#nearFolders = [...onStack.keys()].map(({ name }) => packageFolder(name)).filter((one) => one !== "");
    for (const source of onStack.keys()) this.of(source);
  }

  /** Returns whether an environment variable was set where the code ran; undefined when that isn't known. */
  isSet(variable: string): boolean | undefined {
    return this.#variables?.has(variable);
  }

  /** Null for a file that isn't code, or that was left out. */
  of(source: SourceText): Program | null {
    const known = this.#read.get(source);
    if (known !== undefined) return known;
    const program = this.#readPortion(source);
    this.#read.set(source, program);
    return program;
  }

  /** Returns the files on the stack, then the user's own code, then packages, within the limits. */
  all(): readonly Program[] {
    if (this.#all) return this.#all;
    const rank = (source: SourceText): number => {
      if (this.#read.has(source)) return 0;
      if (!isInstalledName(source.name)) return 1;
      return this.#nearFolders.includes(packageFolder(source.name)) ? 2 : 3;
    };
    const sorted = this.files.all.toSorted((left, right) => rank(left) - rank(right));
    this.#all = sorted.flatMap((source) => this.of(source) ?? []);
    return this.#all;
  }

  /** Returns the user's own code. */
  own(): readonly Program[] {
    return this.all().filter(({ isInstalled }) => !isInstalled);
  }

  /** Returns the user's own code, and that of the packages on the stack. */
  near(): readonly Program[] {
    return this.all().filter((program) => this.isNear(program));
  }

  isNear({ source, isInstalled }: Program): boolean {
    return !isInstalled || this.#nearFolders.includes(packageFolder(source.name));
  }

  /** Returns functions and methods by their own name. */
  functionsNamed(name: string): readonly FoundFunction[] {
    this.#functions ??= this.#functionsByName();
    return this.#functions.get(name) ?? [];
  }

  get leftOut(): readonly LeftOut[] {
    return this.#reading.leftOut;
  }

  #functionsByName(): Map<string, FoundFunction[]> {
    const named = new Map<string, FoundFunction[]>();
    for (const program of this.all()) {
      for (const node of program.functions) {
        const name = ownName(node);
        if (name !== null) put(named, name, { program, node });
      }
    }
    return named;
  }

  #readPortion(source: SourceText): Program | null {
    const [dialect, lowering] = [...this.#lowerings].find(([{ endings }]) => endings.test(source.name)) ?? [];
    if (!dialect || !lowering) return null;
    const portion = this.#reading.portionOf(source);
    if (portion === null) return null;
    const text = portion === "whole" ? source.text : blankOutside(source.text, portion);
    const tree = lowering(source.name, text);
    if (!tree) this.#reading.giveUp(source);
    const isPart = portion !== "whole" || this.files.isWindow(source);
    return tree && indexProgram(source, dialect, tree, isPart);
  }
}
