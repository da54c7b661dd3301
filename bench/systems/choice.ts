const consonants = "bcdfghjklmnpqrstvwxz2456789";

/** Choices by numbers from 0 up to 1. */
export class Choice {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  /** A number from 0 up to 1. */
  share(): number {
    return this.#random();
  }

  /** A whole number, both bounds included. */
  between(min: number, max: number): number {
    return min + Math.floor(this.#random() * (max - min + 1));
  }

  of<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(this.#random() * items.length)];
    if (item === undefined) throw new Error("there is nothing to choose from");
    return item;
  }

  /** That many different ones, in any order. */
  some<Item>(items: readonly Item[], count: number): Item[] {
    const left = [...items];
    return Array.from({ length: Math.min(count, items.length) }, () => {
      const [item] = left.splice(Math.floor(this.#random() * left.length), 1);
      if (item === undefined) throw new Error("there is nothing to choose from");
      return item;
    });
  }

  hex(digits: number): string {
    return Array.from({ length: digits }, () => this.between(0, 15).toString(16)).join("");
  }

  /** As Kubernetes makes the last part of a pod's name. */
  letters(count: number): string {
    return Array.from({ length: count }, () => this.of([...consonants])).join("");
  }
}
