export class RingBuffer {
  #items;
  #next = 0;
  #size = 0;

  constructor(capacity) {
    this.#items = new Array(capacity);
  }

  push(item) {
    this.#items[this.#next] = item;
    this.#next = (this.#next + 1) % this.#items.length;
    this.#size = Math.min(this.#size + 1, this.#items.length);
  }

  toArray() {
    const start = (this.#next - this.#size + this.#items.length) % this.#items.length;
    return Array.from({ length: this.#size }, (_, index) => this.#items[(start + index) % this.#items.length]);
  }
}
