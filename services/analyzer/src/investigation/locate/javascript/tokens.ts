export type TokenKind = "word" | "number" | "string" | "template" | "regex" | "punctuation";

/** A token of JavaScript or TypeScript; comments are none. Positions are UTF-16 units. */
export interface Token {
  readonly kind: TokenKind;
  /** As written; of strings, templates and regular expressions only the first units. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Longest text kept of a string: for comparing, not for reading. */
const textUnitsMax = 400;
const punctuations = ["...", "=>", "?.", "??=", "??", "&&=", "&&", "||=", "||", "===", "!==", "==", "!=", "<=", ">="];
const updates = ["+=", "-=", "*=", "/=", "**", "++", "--"];
const operators: ReadonlySet<string> = new Set([...punctuations, ...updates]);
/** After these words a `/` begins a regular expression. */
const beforeRegex: ReadonlySet<string> = new Set(
  "return typeof case in of do else void delete throw new instanceof await yield".split(" "),
);
const wordStart = /[\p{L}_$#@]/u;
const wordPart = /[\p{L}\p{N}_$]/u;

/**
 * Cuts source into tokens in one pass. Tolerant: of a window into a file, or of what is no JavaScript, it makes what it
 * can and never throws. Inside a template `${` and `}` are tokens, so that brackets still pair.
 */
export function tokenize(source: string): Token[] {
  return new Tokenizer(source).run();
}

class Tokenizer {
  readonly #source: string;
  readonly #tokens: Token[] = [];
  /** For every open brace, whether it is a template's `${`. */
  readonly #braces: boolean[] = [];
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  run(): Token[] {
    while (this.#at < this.#source.length) this.#next();
    return this.#tokens;
  }

  #next(): void {
    const source = this.#source;
    const char = source[this.#at] ?? "";
    if (char === " " || char === "\n" || char === "\t" || char === "\r") this.#at++;
    else if (char === "/" && source[this.#at + 1] === "/") this.#skipTo("\n");
    else if (char === "/" && source[this.#at + 1] === "*") this.#skipTo("*/");
    else if (char === '"' || char === "'") this.#string(char);
    else if (char === "`") this.#template(this.#at, this.#at + 1);
    else if (char === "}" && this.#braces.pop()) this.#templateContinues();
    else if (wordStart.test(char)) this.#while("word", wordPart);
    else if (char >= "0" && char <= "9") this.#while("number", /[\w.]/);
    else if (char === "/" && this.#startsRegex()) this.#regex();
    else this.#punctuation(char);
  }

  #push(kind: TokenKind, start: number, end: number): void {
    const text = this.#source.slice(start, Math.min(end, start + textUnitsMax));
    this.#tokens.push({ kind, text, start, end });
    this.#at = end;
  }

  #skipTo(end: string): void {
    const found = this.#source.indexOf(end, this.#at + 2);
    this.#at = found < 0 ? this.#source.length : found + end.length;
  }

  #while(kind: TokenKind, part: RegExp): void {
    let end = this.#at + 1;
    while (end < this.#source.length && part.test(this.#source[end] ?? "")) end++;
    this.#push(kind, this.#at, end);
  }

  /** An unclosed string ends with its line: the rest of the file is still read. */
  #string(quote: string): void {
    let end = this.#at + 1;
    while (end < this.#source.length && this.#source[end] !== quote && this.#source[end] !== "\n") {
      end += this.#source[end] === "\\" ? 2 : 1;
    }
    this.#push("string", this.#at, Math.min(end + 1, this.#source.length));
  }

  #templateContinues(): void {
    this.#push("punctuation", this.#at, this.#at + 1);
    this.#template(this.#at, this.#at);
  }

  /** A piece of a template, from its backtick or from the end of an insertion to the next insertion or its end. */
  #template(start: number, from: number): void {
    let end = from;
    while (end < this.#source.length && this.#source[end] !== "`") {
      if (this.#source[end] === "$" && this.#source[end + 1] === "{") {
        this.#push("template", start, end);
        this.#push("punctuation", end, end + 2);
        this.#braces.push(true);
        return;
      }
      end += this.#source[end] === "\\" ? 2 : 1;
    }
    this.#push("template", start, Math.min(end + 1, this.#source.length));
  }

  #startsRegex(): boolean {
    const last = this.#tokens.at(-1);
    if (!last) return true;
    if (last.kind === "word") return beforeRegex.has(last.text);
    return last.kind === "punctuation" && ![")", "]", "}"].includes(last.text);
  }

  #regex(): void {
    let inClass = false;
    for (let end = this.#at + 1; end < this.#source.length && this.#source[end] !== "\n"; end++) {
      const char = this.#source[end];
      if (char === "\\") end++;
      else if (char === "[") inClass = true;
      else if (char === "]") inClass = false;
      else if (char === "/" && !inClass) {
        while (/[a-z]/.test(this.#source[end + 1] ?? "")) end++;
        this.#push("regex", this.#at, end + 1);
        return;
      }
    }
    this.#push("punctuation", this.#at, this.#at + 1);
  }

  #punctuation(char: string): void {
    if (char === "{") this.#braces.push(false);
    const three = this.#source.slice(this.#at, this.#at + 3);
    const length = operators.has(three) ? 3 : operators.has(three.slice(0, 2)) ? 2 : 1;
    // `a?.1:b` is a condition, not optional chaining.
    const isChoice = three.startsWith("?.") && /\d/.test(three[2] ?? "");
    this.#push("punctuation", this.#at, this.#at + (isChoice ? 1 : length));
  }
}
