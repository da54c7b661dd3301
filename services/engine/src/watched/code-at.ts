import { lastName } from "../source/anchor.ts";
import { innermostSpan } from "../source/source-text.ts";
import type { CodeFile, CodeFunction } from "../trace/traced.ts";

/** A function in the code that was read, or the code of a file outside of its functions. */
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

const headUnitsMax = 1_000;
/** Where the parameters of a function end, in JavaScript and in Python. */
const headEnd = /\)\s*(?:\{|=>|:|->)|=>/;
const identifier = /[A-Za-z_$][\w$]*/g;

/** What a line sets, before the function that it is set to. */
const declaration = /^\s*(?:export\s+)?(?:(?:const|let|var)\s+)?[\w$.]+\s*(?::|=)\s*/;
/** A variable that a line sets. */
const assigned = /(?:^|[\s,;({[])([\w$]+)\s*=(?![=>])/g;
/** A line that calls something first of all. */
const calls = /^(?:await\s+)?(?:[\w$]+\??\.)*([\w$]+)\(/;

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
    const { start } = source.lines(line, line);
    const text = source.line(line);
    const declared = declaration.exec(text)?.[0].length ?? 0;
    // The head of a function that a name is set to belongs to it.
    const own = functions.find((one) => one.name !== null && one.start === start + declared);
    return this.#of(found, own ?? innermostSpan(functions, start + (/^\s*/.exec(text)?.[0].length ?? 0)));
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

  /** Returns the names in the head of a function: its parameters, and what their defaults use. */
  parametersOf({ file, function: code }: CodeUnit): ReadonlySet<string> {
    const found = this.#files.get(file);
    if (!found || !code) return new Set();
    const text = found.source.text.slice(code.start, Math.min(code.end, code.start + headUnitsMax));
    const head = text.slice(0, headEnd.exec(text)?.index ?? text.length);
    return new Set((head.match(identifier) ?? []).filter((name) => name !== code.name));
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
    const text = this.#lineOf(file, callLine);
    const name = lastName(called.function?.name ?? null) ?? "";
    if (new RegExp(`\\bnew\\s+[\\w$.]*${escaped(name)}\\b`).test(text)) return false;
    if (callLine === use.line) return !isDropped(text, name);
    return [...text.matchAll(assigned)].some(([, target = ""]) => use.names.has(target));
  }

  /** Returns whether a line sets a field to what a function returns. */
  setsField(file: string, line: number, field: string, called: CodeUnit): boolean {
    const name = escaped(lastName(called.function?.name ?? null) ?? "");
    const set = `\\b${escaped(field)}\\s*[:=]\\s*(?:await\\s+)?(?:[\\w$]+\\??\\.)*${name}\\(`;
    return name !== "" && new RegExp(set).test(this.#lineOf(file, line));
  }

  /** Returns the names on a line. */
  namesOn(file: string, line: number): ReadonlySet<string> {
    return new Set(this.#lineOf(file, line).match(identifier) ?? []);
  }

  #lineOf(file: string, line: number): string {
    return this.#files.get(file)?.source.line(line).trim() ?? "";
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

/** Returns whether a line only makes a call, under whatever name it was imported. */
function isDropped(text: string, name: string): boolean {
  const [, first] = calls.exec(text) ?? [];
  return first !== undefined && (first === name || !text.includes(`${name}(`));
}

function escaped(name: string): string {
  return name.replaceAll("$", "\\$");
}
