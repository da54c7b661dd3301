export class Gate {
  #running = 0;
  #waiting = [];

  constructor({ maxWaiting, maxRunning }) {
    this.maxWaiting = maxWaiting;
    this.maxRunning = maxRunning;
  }

  async run(work) {
    if (this.#running >= this.maxRunning) {
      if (this.#waiting.length >= this.maxWaiting) throw new Error(`gate is full: ${this.#waiting.length} requests wait already`);
      await new Promise((next) => this.#waiting.push(next));
    }
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }
}
