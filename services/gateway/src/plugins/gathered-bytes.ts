const nothing: Buffer = Buffer.alloc(0);
/** The smallest buffer that pieces are copied into. */
const bytesMin = 4_096;

/**
 * Bytes that come in pieces, cut at a length. Pieces are copied into one buffer, of at most twice their bytes: a client
 * decides how small they are, and a list of pieces of one byte takes some 500 bytes for each.
 */
export class GatheredBytes {
  readonly #bytesMax: number;
  #buffer = nothing;
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a piece, or what there is room for. The first one isn't copied until another follows. */
  add(piece: Buffer): void {
    const added = piece.subarray(0, this.#bytesMax - this.#bytes);
    if (added.length === 0) return;
    if (this.#bytes === 0) this.#buffer = added;
    else this.#append(added);
    this.#bytes += added.length;
  }

  #append(added: Buffer): void {
    const bytes = this.#bytes + added.length;
    if (bytes > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(bytes, this.#bytes * 2, bytesMin));
      this.#buffer.copy(larger, 0, 0, this.#bytes);
      this.#buffer = larger;
    }
    added.copy(this.#buffer, this.#bytes);
  }

  /** Returns all bytes, and begins again. They keep at most twice their memory alive. */
  taken(): Buffer {
    const bytes = this.#buffer.subarray(0, this.#bytes);
    this.#buffer = nothing;
    this.#bytes = 0;
    return bytes.buffer.byteLength > bytes.length * 2 ? copyOf(bytes) : bytes;
  }
}

/** Returns a copy with memory of its own, which `Buffer.from` would share between small ones. */
function copyOf(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}
