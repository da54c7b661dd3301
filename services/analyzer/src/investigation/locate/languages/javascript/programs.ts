import type { SourceText } from "../../../source-text.ts";
import type { SourceFiles } from "../../source-files.ts";
import { isInstalledName, type Program, readProgram } from "./program.ts";

/** Together with what is on the stack as much as an investigation reads; the rest is not looked at. */
const importsMax = 100;
const unitsReadMax = 600_000;

/** The files given, each read once and only when it is asked for. */
export class Programs {
  readonly files: SourceFiles;
  readonly #read = new Map<SourceText, Program | null>();
  #all: readonly Program[] | undefined;

  constructor(files: SourceFiles) {
    this.files = files;
  }

  of(source: SourceText): Program | null {
    const known = this.#read.get(source);
    if (known !== undefined) return known;
    const program = readProgram(source);
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
    let units = 0;
    const chosen = this.files.all
      .toSorted((left, right) => rank(left) - rank(right))
      .filter((source) => {
        units += source.text.length;
        return units <= unitsReadMax || this.#read.has(source);
      });
    // The user's own code is looked at first by everybody.
    const programs = chosen.flatMap((source) => this.of(source) ?? []);
    this.#all = programs.toSorted((left, right) => Number(left.isInstalled) - Number(right.isInstalled));
    return this.#all;
  }

  #importedBy(source: SourceText): SourceText[] {
    const specifiers = source.text.matchAll(/(?:from|require\(|import\()\s?["']([^"'\n]{1,200})["']/g);
    return [...specifiers]
      .slice(0, importsMax)
      .flatMap(([, specifier]) => this.files.resolve(source.name, specifier ?? "") ?? []);
  }

  own(): readonly Program[] {
    return this.all().filter(({ isInstalled }) => !isInstalled);
  }
}
