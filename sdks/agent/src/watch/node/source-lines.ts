import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { OwnRegExp } from "./own-reg-exp.ts";

/** A place in a script or in its source. Lines and columns are 0-based, as V8 counts. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

interface Mapped {
  readonly at: Position;
  readonly file: string;
  readonly line: number;
}

const mapBytesMax = 20_000_000;
const inline = new OwnRegExp("^data:application/json[^,]*?(;base64)?,");

/** Where the lines of a script's sources are in it: its own where it has no source map. */
export class SourceLines {
  readonly #path: string;
  readonly #mapped: readonly Mapped[] | null;

  constructor(path: string, mapUrl: string | undefined) {
    this.#path = path;
    this.#mapped = mapUrl === undefined || mapUrl === "" ? null : readMap(path, mapUrl);
  }

  /** The files whose lines it has. */
  get files(): readonly string[] {
    return this.#mapped ? [...new Set(this.#mapped.map(({ file }) => file))] : [this.#path];
  }

  /** Returns the stretches of the script that a line became. */
  stretchesOf(file: string, line: number): readonly { readonly start: Position; readonly end: Position }[] {
    if (!this.#mapped) return [{ start: { line, column: 0 }, end: { line: line + 1, column: 0 } }];
    return this.#mapped.flatMap((one, index) => {
      if (one.file !== file || one.line !== line) return [];
      const next = this.#mapped?.[index + 1]?.at;
      const end = next && next.line === one.at.line ? next : { line: one.at.line + 1, column: 0 };
      return [{ start: one.at, end }];
    });
  }

  /** Returns the file and line that a position came from. */
  sourceOf({ line, column }: Position): { readonly file: string; readonly line: number } | null {
    if (!this.#mapped) return { file: this.#path, line };
    const before = ({ at }: Mapped): boolean => at.line < line || (at.line === line && at.column <= column);
    let [low, high] = [0, this.#mapped.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const one = this.#mapped[middle];
      if (one && before(one)) low = middle + 1;
      else high = middle;
    }
    return this.#mapped[low - 1] ?? null;
  }
}

/** Returns the mappings of a source map in the order of the script; null without a map that can be read. */
function readMap(path: string, mapUrl: string): readonly Mapped[] | null {
  try {
    const { sources, mappings, sourceRoot = "" } = JSON.parse(mapText(path, mapUrl));
    if (!Array.isArray(sources) || typeof mappings !== "string") return null;
    return decode(
      mappings,
      sources.map((source) => {
        const name = `${sourceRoot}${String(source)}`;
        return name.startsWith("file:") ? fileURLToPath(name) : resolve(dirname(path), name);
      }),
    );
  } catch {
    return null;
  }
}

function mapText(path: string, mapUrl: string): string {
  const found = inline.exec(mapUrl);
  if (!found) return readFileSync(resolve(dirname(path), mapUrl), "utf8").slice(0, mapBytesMax);
  const data = mapUrl.slice(found[0].length);
  return found[1] === undefined ? decodeURIComponent(data) : Buffer.from(data, "base64").toString("utf8");
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Decodes the mappings of the source map format, ECMA-426. */
function decode(mappings: string, files: readonly string[]): Mapped[] {
  const found: Mapped[] = [];
  let [source, sourceLine] = [0, 0];
  for (const [line, segments] of mappings.split(";").entries()) {
    let column = 0;
    for (const segment of segments.split(",")) {
      const [columnBy = 0, sourceBy, lineBy = 0] = numbersOf(segment);
      column += columnBy;
      if (sourceBy === undefined) continue;
      source += sourceBy;
      sourceLine += lineBy;
      found.push({ at: { line, column }, file: files[source] ?? "", line: sourceLine });
    }
  }
  return found;
}

function numbersOf(segment: string): number[] {
  const numbers: number[] = [];
  let [value, shift] = [0, 0];
  for (const character of segment) {
    const digit = digits.indexOf(character);
    value |= (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}
