import { lastName } from "../source/anchor.ts";
import { innermostSpan } from "../source/source-text.ts";
import type { CallResult, CodeFile, CodeFunction } from "../trace/traced.ts";

/** A function in the code that was read, or the top-level code of a file. */
export interface CodeUnit {
  readonly file: string;
  /** Null for the code outside of functions. */
  readonly function: CodeFunction | null;
  /** The line where it begins; null for the code outside of functions. */
  readonly starts: number | null;
}

/** Where code ran, as a watched run says. */
interface RanAt {
  readonly file: string;
  readonly line: number;
  readonly function: string | null;
  /** The line where its function begins; null at module level. */
  readonly starts: number | null;
}

/** Finds the functions of the code that was read. */
export class CodeAt {
  readonly #files: ReadonlyMap<string, CodeFile>;
  readonly #known = new Map<CodeFunction | CodeFile, CodeUnit>();

  constructor(files: readonly CodeFile[]) {
    this.#files = new Map(files.map((file) => [file.source.name, file]));
  }

  /** Returns the innermost unit that contains the code of a line; null for a file that wasn't read. */
  around(file: string, line: number): CodeUnit | null {
    const found = this.#files.get(file);
    if (!found) return null;
    const { source, functions } = found;
    const begins = source.codeStart(line);
    // The head of a function that a name is set to belongs to it.
    const own = functions.find((one) => one.name !== null && one.declaredFrom === begins);
    return this.#of(found, own ?? innermostSpan(functions, begins));
  }

  /** Returns the unit that ran: a line may hold several. */
  ran({ file, line, function: name, starts }: RanAt): CodeUnit | null {
    const found = this.#files.get(file);
    if (!found) return null;
    if (starts === null) return this.#of(found, null);
    const { source, functions } = found;
    const { end } = source.lines(line, line);
    const there = functions.filter(
      (one) => one.start <= end && source.lineAt(one.start) <= starts && source.lineAt(one.end) >= line,
    );
    const nearest = Math.max(...there.map((one) => source.lineAt(one.start)));
    const begun = there.filter((one) => source.lineAt(one.start) === nearest);
    const own = name === null ? undefined : begun.find((one) => lastName(one.name) === lastName(name));
    const shortest = begun.toSorted((one, other) => one.end - one.start - (other.end - other.start))[0];
    return this.#of(found, own ?? shortest ?? null);
  }

  /** Returns the lines of a function without those of the named functions in it; 0 for the code outside of functions. */
  ownLines({ file, function: code }: CodeUnit): number {
    const found = this.#files.get(file);
    if (!found || !code) return 0;
    const { source, functions } = found;
    const lines = ({ start, end }: CodeFunction): number => source.lineAt(end) - source.lineAt(start) + 1;
    const named = functions.filter((one) => one.name !== null);
    const inner = named.filter((one) => one !== code && isWithin(one, code));
    const outermost = inner.filter((one) => !inner.some((other) => other !== one && isWithin(one, other)));
    return lines(code) - outermost.reduce((sum, one) => sum + lines(one), 0);
  }

  /**
   * Returns whether what a call on one line returns is used by another line of its function, or by the same one. When
   * the code doesn't show it, it isn't.
   */
  isUsed(
    file: string,
    callLine: number,
    use: { readonly line: number; readonly names: ReadonlySet<string> },
    called: CodeUnit,
  ): boolean {
    const results = this.#resultsOf(file, callLine, called);
    // What is created is an object, whatever its constructor returns. An accessor is used without a call.
    if (callLine === use.line) return results.every(({ isNew, isDropped }) => !isNew && !isDropped);
    return results.some(({ isNew, variables }) => !isNew && variables.some((name) => use.names.has(name)));
  }

  /** Returns whether a line sets a field to what a function returns. */
  setsField(file: string, line: number, field: string, called: CodeUnit): boolean {
    const name = ownNameOf(called);
    return this.#resultsOf(file, line, called).some((one) => one.callee === name && one.field === field);
  }

  /** Returns the names on a line. */
  namesOn(file: string, line: number): ReadonlySet<string> {
    return new Set(this.#files.get(file)?.names(line));
  }

  #resultsOf(file: string, line: number, called: CodeUnit): readonly CallResult[] {
    return this.#files.get(file)?.results(line, ownNameOf(called)) ?? [];
  }

  /** Returns the functions with a name, in all files. */
  named(name: string): CodeUnit[] {
    return [...this.#files.values()].flatMap((file) =>
      file.functions.filter((one) => lastName(one.name) === name).map((one) => this.#of(file, one)),
    );
  }

  #of(file: CodeFile, code: CodeFunction | null): CodeUnit {
    const starts = code && file.source.lineAt(code.start);
    const known = this.#known.get(code ?? file) ?? { file: file.source.name, function: code, starts };
    this.#known.set(code ?? file, known);
    return known;
  }
}

function isWithin(one: CodeFunction, other: CodeFunction): boolean {
  return other.start <= one.start && one.end <= other.end;
}

function ownNameOf({ function: code }: CodeUnit): string {
  return lastName(code?.name ?? null) ?? "";
}
