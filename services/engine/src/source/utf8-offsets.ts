import { utf8Length } from "@whence/protocol";

/** Distance between positions with a known offset, in UTF-16 units. */
const strideUnits = 4_096;

/** Byte offsets in the UTF-8 form of a text, which is counted once for all requested offsets. */
export class Utf8Offsets {
  readonly #text: string;
  /** The offset of every {@link strideUnits}th position. */
  readonly #known: number[] = [0];

  /** `text` has no lone surrogates. */
  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the number of bytes before a position, which must not split a surrogate pair. */
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

  /** Returns a nearby position that doesn't split a surrogate pair. */
  #boundary(position: number): number {
    return (this.#text.charCodeAt(position) & 0xfc00) === 0xdc00 ? position - 1 : position;
  }
}
