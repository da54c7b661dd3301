import type { SourceText } from "../../../source-text.ts";
import type { SourceFiles } from "../../source-files.ts";
import { isInstalledName, type Program, readProgram } from "./program.ts";

/** Together with what is on the stack as much as an investigation reads; the rest is not looked at. */
const unitsReadMax = 1_200_000;

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

  /** The user's own code first, then the installed packages'; no more than an investigation can afford. */
  all(): readonly Program[] {
    if (this.#all) return this.#all;
    const read = this.#read;
    const order = this.files.all.toSorted((left, right) => rank(left) - rank(right));
    let units = 0;
    const chosen = order.filter((source) => {
      units += source.text.length;
      return units <= unitsReadMax || read.has(source);
    });
    this.#all = chosen.flatMap((source) => this.of(source) ?? []);
    return this.#all;

    function rank(source: SourceText): number {
      if (!isInstalledName(source.name)) return 0;
      return read.has(source) ? 1 : 2;
    }
  }

  own(): readonly Program[] {
    return this.all().filter(({ isInstalled }) => !isInstalled);
  }
}
