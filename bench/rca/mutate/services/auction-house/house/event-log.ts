import type { Event } from './commands.ts';

type Listener = (event: Event, number: number) => void;

export class EventLog {
  readonly #events: Event[] = [];
  readonly #listeners = new Set<Listener>();

  append(event: Event): number {
    const number = this.#events.push(event);
    for (const listener of this.#listeners) listener(event, number);
    return number;
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  replay<S>(reduce: (state: S, event: Event) => S, initial: S): S {
    return this.#events.reduce(reduce, initial);
  }
}
