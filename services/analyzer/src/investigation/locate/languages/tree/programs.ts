import type { Parser } from "@vscode/tree-sitter-wasm";
import { inlineCode } from "../../../prose.ts";
import type { SourceText } from "../../../source-text.ts";
import type { SourceFiles } from "../../source-files.ts";
import type { CodeNode } from "./code-node.ts";
import type { Dialect } from "./dialect.ts";
import { classNameOf, ownName } from "./functions.ts";
import { type CodeProgram, isInstalledName, programUnitsMax, readProgram } from "./program.ts";

/** A function and the file that it is in. */
export interface FoundFunction {
  readonly program: CodeProgram;
  readonly node: CodeNode;
}

/** Together with what is on the stack as much as an investigation reads; the rest is not looked at. */
const unitsReadMax = 400_000;

/** The files of one language, each read once and only when it is asked for. */
export class CodePrograms {
  readonly files: SourceFiles;
  readonly dialect: Dialect;
  readonly #parser: Parser;
  readonly #read = new Map<SourceText, CodeProgram | null>();
  readonly #leftOut: string[] = [];
  #units = 0;
  #all: readonly CodeProgram[] | undefined;
  #named: ReadonlyMap<string, readonly FoundFunction[]> | undefined;

  constructor(files: SourceFiles, dialect: Dialect, parser: Parser) {
    this.files = files;
    this.dialect = dialect;
    this.#parser = parser;
  }

  /** Null for what is of another language, and for what was left out. */
  of(source: SourceText): CodeProgram | null {
    const known = this.#read.get(source);
    if (known !== undefined) return known;
    const program = this.dialect.endings.test(source.name) ? this.#readWithin(source) : null;
    this.#read.set(source, program);
    return program;
  }

  /** What is on the stack, then the user's own code, then packages, as far as the bound goes; own code first. */
  all(): readonly CodeProgram[] {
    if (this.#all) return this.#all;
    // What is on the stack was read before; of the rest the user's own code comes first.
    const own = this.files.all.filter(({ name }) => !isInstalledName(name));
    const packages = this.files.all.filter(({ name }) => isInstalledName(name));
    this.#all = [...own, ...packages].flatMap((source) => this.of(source) ?? []);
    return this.#all;
  }

  own(): readonly CodeProgram[] {
    return this.all().filter(({ isInstalled }) => !isInstalled);
  }

  /** Functions and methods by their own name. */
  functionsNamed(name: string): readonly FoundFunction[] {
    this.#named ??= this.#functionsByName();
    return this.#named.get(name) ?? [];
  }

  /** The functions that make an object of a class. */
  constructorsOf(className: string): readonly FoundFunction[] {
    return [...this.dialect.constructors]
      .flatMap((name) => this.functionsNamed(name))
      .filter(({ program, node }) => classNameOf(program, node) === className);
  }

  #functionsByName(): Map<string, FoundFunction[]> {
    const named = new Map<string, FoundFunction[]>();
    for (const program of this.all()) {
      for (const node of program.functions) {
        const name = ownName(program, node);
        if (name === null) continue;
        const list = named.get(name);
        if (list) list.push({ program, node });
        else named.set(name, [{ program, node }]);
      }
    }
    return named;
  }

  /** One line each about what was given and not read, and why. */
  get leftOut(): readonly string[] {
    return this.#leftOut;
  }

  #readWithin(source: SourceText): CodeProgram | null {
    const { length } = source.text;
    if (length > programUnitsMax)
      return this.#leave(source, `it is longer than ${programUnitsMax} characters, as generated code is`);
    if (this.#units + length > unitsReadMax) return this.#leave(source, "other files were as much code as is read");
    this.#units += length;
    return readProgram(this.#parser, this.dialect, source) ?? this.#leave(source, "its code is nested too deeply");
  }

  #leave(source: SourceText, because: string): null {
    this.#leftOut.push(`source: ${inlineCode(source.name)} was only searched for the values of the error: ${because}`);
    return null;
  }
}
