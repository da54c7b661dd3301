import type { SourceText } from "../../../source-text.ts";
import type { SourceFiles } from "../../source-files.ts";
import type { LeftOut } from "../../traced.ts";
import { Reading } from "../reading.ts";
import { isInstalledName, isScript, type Program, readProgram } from "./program.ts";

const importsMax = 100;

/** The files given, each read once, when it is asked for, and as far as {@link Reading} allows. */
export class Programs {
  readonly files: SourceFiles;
  readonly #reading: Reading;
  readonly #read = new Map<SourceText, Program | null>();
  #all: readonly Program[] | undefined;

  /** `onStack` are the positions that the stack names in each file. */
  constructor(files: SourceFiles, onStack: ReadonlyMap<SourceText, readonly number[]>) {
    this.files = files;
    this.#reading = new Reading(onStack);
  }

  /** Null for what is no script, and for what was left out. */
  of(source: SourceText): Program | null {
    if (!isScript(source.name)) return null;
    const known = this.#read.get(source);
    if (known !== undefined) return known;
    const program = this.#readPortion(source);
    this.#read.set(source, program);
    return program;
  }

  /** What is on the stack, what that imports, the user's own code, packages: no more than can be afforded. */
  all(): readonly Program[] {
    if (this.#all) return this.#all;
    const near = new Set([...this.#read.keys()].flatMap((source) => this.#importedBy(source)));
    const rank = (source: SourceText): number => {
      if (this.#read.has(source)) return 0;
      return (isInstalledName(source.name) ? 2 : 0) + (near.has(source) ? 1 : 2);
    };
    const sorted = this.files.all.toSorted((left, right) => rank(left) - rank(right));
    const programs = sorted.flatMap((source) => this.of(source) ?? []);
    // The user's own code is looked at first by everybody.
    this.#all = programs.toSorted((left, right) => Number(left.isInstalled) - Number(right.isInstalled));
    return this.#all;
  }

  own(): readonly Program[] {
    return this.all().filter(({ isInstalled }) => !isInstalled);
  }

  /** One line each about what was not read as code, and why. */
  get leftOut(): readonly LeftOut[] {
    return this.#reading.leftOut;
  }

  #readPortion(source: SourceText): Program | null {
    const portion = this.#reading.portionOf(source);
    if (portion === null) return null;
    const program = readProgram(source, portion === "whole" ? null : portion);
    if (program === null) this.#reading.giveUp(source);
    return program;
  }

  #importedBy(source: SourceText): SourceText[] {
    const specifiers = source.text.matchAll(/(?:from|require\(|import\()\s?["']([^"'\n]{1,200})["']/g);
    return [...specifiers]
      .slice(0, importsMax)
      .flatMap(([, specifier]) => this.files.resolve(source.name, specifier ?? "") ?? []);
  }
}
