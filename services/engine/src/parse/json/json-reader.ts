/** The position of a value in the text that it was read from; `end` is exclusive. */
interface Placed {
  readonly start: number;
  readonly end: number;
}
export interface JsonObject extends Placed {
  readonly kind: "object";
  readonly entries: ReadonlyMap<string, JsonNode>;
}
interface JsonArray extends Placed {
  readonly kind: "array";
  readonly items: readonly JsonNode[];
}
/** A string; its position excludes the quotation marks. */
export interface JsonString extends Placed {
  readonly kind: "string";
  readonly value: string;
}
interface JsonPlain extends Placed {
  readonly kind: "plain";
  readonly value: number | boolean | null;
}
export type JsonNode = JsonObject | JsonArray | JsonString | JsonPlain;

/** As much of a JSON document as could be read. */
export interface JsonDocument {
  readonly root: JsonNode;
  /** Where reading ended. */
  readonly end: number;
  /** Whether the document is complete. */
  readonly isWhole: boolean;
  /** Whether an object in it gives a name twice with different values. */
  readonly isAmbiguous: boolean;
}

/** Real logs nest a dozen levels at most; deeper input is hostile. */
const depthMax = 40;
/** Maximum entries of one document. */
const nodesMax = 50_000;

/**
 * Reads JSON from a position on, as far as it goes: cut off, with trailing commas, or as Python prints a dictionary.
 * Null when nothing there looks like JSON. One pass; never looks beyond where it stops.
 */
export function readJson(text: string, start: number): JsonDocument | null {
  const reader = new JsonReader(text, start);
  const root = reader.value(0);
  return root ? { root, end: reader.at, isWhole: !reader.isBroken, isAmbiguous: reader.isAmbiguous } : null;
}

const blank = /[ \t\r\n\ufeff]*/y;
const plainText = /[^"'\\\n]*/y;
const word = /-?[A-Za-z0-9_.+-]{1,40}/y;
const words: Readonly<Record<string, boolean | null>> = {
  true: true,
  false: false,
  null: null,
  True: true,
  False: false,
  None: null,
  undefined: null,
  NaN: null,
};

class JsonReader {
  at: number;
  isBroken = false;
  isAmbiguous = false;
  readonly #text: string;
  #nodes = 0;

  constructor(text: string, start: number) {
    this.#text = text;
    this.at = start;
  }

  value(depth: number): JsonNode | null {
    this.#skip(blank);
    if (depth > depthMax || ++this.#nodes > nodesMax) return this.#break();
    const first = this.#text[this.at];
    if (first === "{") return this.#object(depth);
    if (first === "[") return this.#array(depth);
    if (first === '"' || first === "'") return this.#string(first);
    return this.#plain();
  }

  #object(depth: number): JsonObject | null {
    const start = this.at++;
    const entries = new Map<string, JsonNode>();
    while (!this.isBroken && !this.#ends("}")) {
      const quote = this.#text[this.at];
      const key = quote === '"' || quote === "'" ? this.#string(quote) : this.#break();
      this.#skip(blank);
      if (!key || this.isBroken || !this.#takes(":")) {
        this.#break();
        break;
      }
      const value = this.value(depth + 1);
      if (value) this.#put(entries, key.value, value);
      this.#separate("}");
    }
    const isAnything = entries.size > 0 || !this.isBroken;
    return isAnything ? { kind: "object", entries, start, end: this.at } : null;
  }

  /** The last value counts, as with `JSON.parse`. */
  #put(entries: Map<string, JsonNode>, key: string, value: JsonNode): void {
    const known = entries.get(key);
    if (known && this.#text.slice(known.start, known.end) !== this.#text.slice(value.start, value.end))
      this.isAmbiguous = true;
    entries.set(key, value);
  }

  #array(depth: number): JsonArray | null {
    const start = this.at++;
    const items: JsonNode[] = [];
    while (!this.isBroken && !this.#ends("]")) {
      const value = this.value(depth + 1);
      if (value) items.push(value);
      this.#separate("]");
    }
    return items.length > 0 || !this.isBroken ? { kind: "array", items, start, end: this.at } : null;
  }

  /** Reads a comma, or stops before the end. */
  #separate(end: string): void {
    if (this.isBroken) return;
    this.#skip(blank);
    if (!this.#takes(",") && this.#text[this.at] !== end) this.#break();
  }

  #ends(end: string): boolean {
    this.#skip(blank);
    if (this.at >= this.#text.length) {
      this.#break();
      return true;
    }
    return this.#takes(end);
  }

  /** A string ends with its line, so that a truncated one doesn't swallow the next log entry. */
  #string(quote: string): JsonString {
    const start = ++this.at;
    for (;;) {
      this.#skip(plainText);
      const stop = this.#text[this.at];
      if (stop === quote) break;
      if (stop === undefined || stop === "\n") {
        this.#break();
        return this.#made(start, quote);
      }
      this.at += stop === "\\" ? 2 : 1;
    }
    const made = this.#made(start, quote);
    this.at++;
    return made;
  }

  #made(start: number, quote: string): JsonString {
    const end = Math.min(this.at, this.#text.length);
    return { kind: "string", value: decodeString(this.#text.slice(start, end), quote), start, end };
  }

  #plain(): JsonPlain | null {
    const start = this.at;
    this.#skip(word);
    const text = this.#text.slice(start, this.at);
    const known = words[text];
    if (known !== undefined) return { kind: "plain", value: known, start, end: this.at };
    const value = text === "" ? Number.NaN : Number(text);
    return Number.isNaN(value) ? this.#break() : { kind: "plain", value, start, end: this.at };
  }

  #takes(character: string): boolean {
    if (this.#text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  #skip(pattern: RegExp): void {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text);
    if (found) this.at += found[0].length;
  }

  #break(): null {
    this.isBroken = true;
    return null;
  }
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", "/": "/" };

/** Decodes the text between quotation marks; an invalid escape is kept as written. */
export function decodeString(raw: string, quote = '"'): string {
  if (!raw.includes("\\")) return raw;
  return raw.replace(/\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g, (whole, unit, byte, one) => {
    const code: string | undefined = unit ?? byte;
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return one === "\\" || one === quote ? one : (escapes[one] ?? whole);
  });
}
