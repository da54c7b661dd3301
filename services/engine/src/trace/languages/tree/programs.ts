import type { Parser } from "@vscode/tree-sitter-wasm";
import type { SourceText } from "../../../source-text.ts";
import type { SourceFiles } from "../../source-files.ts";
import type { LeftOut } from "../../traced.ts";
import { Reading } from "../reading.ts";
import type { CodeNode } from "./code-node.ts";
import type { Dialect } from "./dialect.ts";
import { classNameOf, ownName } from "./functions.ts";
import { type CodeProgram, isInstalledName, readProgram } from "./program.ts";
import { BoundedParser } from "./read-tree.ts";

/** A function and the file that it is in. */
export interface FoundFunction {
  readonly program: CodeProgram;
  readonly node: CodeNode;
}

/** The files of one language, each read once and only when it is asked for. */
export class CodePrograms {
  readonly files: SourceFiles;
  readonly dialect: Dialect;
  readonly #parser: BoundedParser;
  readonly #reading: Reading;
  readonly #read = new Map<SourceText, CodeProgram | null>();
  #all: readonly CodeProgram[] | undefined;
  #named: ReadonlyMap<string, readonly FoundFunction[]> | undefined;

  /** `onStack` are the positions that the stack names in each file. */
  constructor(
    files: SourceFiles,
    dialect: Dialect,
    parser: Parser,
    onStack: ReadonlyMap<SourceText, readonly number[]>,
  ) {
    this.files = files;
    this.dialect = dialect;
    this.#parser = new BoundedParser(parser);
    this.#reading = new Reading(onStack);
  }

  /** Null for what is of another language, and for what was left out. */
  of(source: SourceText): CodeProgram | null {
    const known = this.#read.get(source);
    if (known !== undefined) return known;
    const program = this.dialect.endings.test(source.name) ? this.#readPortion(source) : null;
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
  get leftOut(): readonly LeftOut[] {
    return this.#reading.leftOut;
  }

  #readPortion(source: SourceText): CodeProgram | null {
    const portion = this.#reading.portionOf(source);
    if (portion === null) return null;
    const program = readProgram(this.#parser, this.dialect, source, portion === "whole" ? null : portion);
    if (!program) this.#reading.giveUp(source);
    return program;
  }
}
