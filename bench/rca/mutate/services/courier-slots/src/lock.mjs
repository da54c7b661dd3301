export class KeyedLock {
  #tails = new Map();

  async exclusive(key, work) {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const { promise, resolve } = Promise.withResolvers();
    this.#tails.set(key, promise);
    await before;
    try {
      return await work();
    } finally {
      resolve();
    }
  }
}
