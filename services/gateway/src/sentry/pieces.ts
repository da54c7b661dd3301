/** Bytes that come in pieces, cut at a length. */
export class Pieces {
  readonly #bytesMax: number;
  readonly #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a piece, or what there is room for, and returns how many bytes those are. */
  add(piece: Buffer): number {
    const kept = piece.subarray(0, this.#bytesMax - this.#bytes);
    if (kept.length > 0) this.#pieces.push(kept);
    this.#bytes += kept.length;
    return kept.length;
  }

  /** Returns all bytes, and begins again. A single piece isn't copied. */
  taken(): Buffer {
    const [first = Buffer.alloc(0), ...others] = this.#pieces.splice(0);
    this.#bytes = 0;
    return others.length === 0 ? first : Buffer.concat([first, ...others]);
  }
}
