import { queueCapacity } from './limits.ts';

export class Line {
  readonly #people: string[] = [];

  join(person: string): number {
    if (this.#people.length >= queueCapacity) throw new Error(`the line is full (${queueCapacity})`);
    return this.#people.push(person);
  }
}
