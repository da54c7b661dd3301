import { utf8Length } from "@whence/protocol";

/** Units of UTF-16 between two positions whose offset is known. */
const strideUnits = 4_096;

/** Offsets in the UTF-8 form of a text. The text is counted once, however many offsets are asked for. */
export class Utf8Offsets {
  readonly #text: string;
  /** Of every {@link strideUnits}th position. */
  readonly #known: number[] = [0];

  /** `text` has no lone surrogates. */
  constructor(text: string) {
    this.#text = text;
  }

  /** The number of bytes before a position, which doesn't split a surrogate pair. */
  at(position: number): number {
    const stride = Math.floor(position / strideUnits);
    while (this.#known.length <= stride) {
      const from = this.#boundary((this.#known.length - 1) * strideUnits);
      const to = this.#boundary(this.#known.length * strideUnits);
      this.#known.push((this.#known.at(-1) ?? 0) + utf8Length(this.#text.slice(from, to)));
    }
    const start = this.#boundary(stride * strideUnits);
    return (this.#known[stride] ?? 0) + utf8Length(this.#text.slice(start, position));
  }

  /** A position that doesn't split a surrogate pair. */
  #boundary(position: number): number {
    return (this.#text.charCodeAt(position) & 0xfc00) === 0xdc00 ? position - 1 : position;
  }
}
