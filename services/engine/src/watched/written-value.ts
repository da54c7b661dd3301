/** What a watched run shows of a value: it is missing, it is there, or neither can be told. */
export type Presence = "missing" | "there" | "unknown";

/** An object whose fields were read, or any other value as it was written. */
type Written = { readonly fields: ReadonlyMap<string, Written>; readonly isWhole: boolean } | { readonly word: string };

const missing: ReadonlySet<string> = new Set(["undefined", "null", "None"]);
/** What mustn't be read, wasn't resolved yet, or is deeper than what was read. */
const unread = /^\[(?:redacted|getter|proxy|promise|object|array|instance of .*)\]$|…/;
const otherFields = "…";

/**
 * Returns whether the field at a path of a recorded value is missing. A field that wasn't recorded is missing from an
 * object that was read whole, and wherever it was `looked` for.
 */
export function presenceOf(text: string, path: readonly string[], looked: ReadonlySet<string>): Presence {
  let found = new WrittenValue(text).read();
  for (const name of path) {
    if ("word" in found) return "unknown";
    const next = found.fields.get(name);
    if (!next) return found.isWhole || looked.has(name) ? "missing" : "unknown";
    found = next;
  }
  if ("fields" in found) return "there";
  if (missing.has(found.word)) return "missing";
  return unread.test(found.word) ? "unknown" : "there";
}

/** Reads a value in the form that watched runs write: fields in braces, texts in quotes, and `…` for what was left out. */
class WrittenValue {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Written {
    const first = this.#text[this.#at];
    if (first === "{") return this.#object();
    if (first === '"' || first === "'") return { word: this.#quoted(first) };
    const end = first === "[" ? this.#endOfList() : this.#endOfWord();
    const word = this.#text.slice(this.#at, end);
    this.#at = end;
    return { word };
  }

  #object(): Written {
    const fields = new Map<string, Written>();
    let isWhole = true;
    this.#at += 1;
    while (this.#text[this.#at] !== "}") {
      const quote = this.#text[this.#at];
      // The end is cut, other fields aren't known, or it is no object.
      if (quote !== '"' && quote !== "'") {
        isWhole = false;
        const end = this.#text.startsWith(`${otherFields}}`, this.#at);
        this.#at = end ? this.#at + otherFields.length : this.#text.length;
        if (!end) return { fields, isWhole };
        continue;
      }
      const name = this.#quoted(quote).slice(1, -1);
      this.#skip(/: /y);
      fields.set(name, this.read());
      this.#skip(/, /y);
    }
    this.#at += 1;
    return { fields, isWhole };
  }

  #quoted(quote: string): string {
    const start = this.#at;
    for (this.#at += 1; this.#at < this.#text.length && this.#text[this.#at] !== quote; this.#at += 1)
      if (this.#text[this.#at] === "\\") this.#at += 1;
    this.#at += 1;
    return this.#text.slice(start, this.#at);
  }

  #endOfList(): number {
    let depth = 0;
    for (let at = this.#at; at < this.#text.length; at += 1) {
      if (this.#text[at] === "[") depth += 1;
      if (this.#text[at] === "]") depth -= 1;
      if (depth === 0) return at + 1;
    }
    return this.#text.length;
  }

  #endOfWord(): number {
    const rest = /[,}]/.exec(this.#text.slice(this.#at));
    return rest ? this.#at + rest.index : this.#text.length;
  }

  #skip(separator: RegExp): void {
    separator.lastIndex = this.#at;
    this.#at += separator.exec(this.#text)?.[0].length ?? 0;
  }
}
