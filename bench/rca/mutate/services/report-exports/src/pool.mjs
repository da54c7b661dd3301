const connectionsMax = 3;
const waitMs = 200;

export class Pool {
  #used = 0;
  #waiting = [];

  async acquire() {
    if (this.#used < connectionsMax) {
      this.#used += 1;
      return { query: async (table) => [{ table, cents: 1200 }], pool: this };
    }
    await new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`timed out after ${waitMs} ms: ${this.#used} of ${connectionsMax} connections in use`)),
        waitMs,
      );
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
    return this.acquire();
  }

  release() {
    this.#used -= 1;
    this.#waiting.shift()?.();
  }
}

export const pool = new Pool();
