/** Each may take as much memory as the largest body before its size is known. */
const unpackedAtOnceMax = 4;

/** Unpacks a few bodies at a time, the others in order. Those that wait have a place, which bounds how many they are. */
export class UnpackQueue {
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** Runs it when it is its turn; it should account for what it unpacked before it resolves. */
  async run<Result>(unpack: () => Promise<Result>): Promise<Result> {
    if (this.#running < unpackedAtOnceMax) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await unpack();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
