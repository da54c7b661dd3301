import { hourMs } from "@whence/protocol";

interface Known {
  readonly current: Set<string>;
  /** Those of this hour and the one before. */
  readonly all: Set<string>;
}

/** Names that someone used in this hour or the one before, a limited number each. */
export class RecentNames {
  readonly #clock: () => number;
  readonly #namesMax: number;
  #hour = 0;
  #known = new Map<string, Known>();

  constructor(clock: () => number, namesMax: number) {
    this.#clock = clock;
    this.#namesMax = namesMax;
  }

  /** Whether someone may use these names: they are known, or there is room for them. */
  hasRoom(of: string, names: readonly string[]): boolean {
    const { all } = this.#knownOf(of);
    const unknown = names.filter((name) => !all.has(name)).length;
    return unknown === 0 || all.size + unknown <= this.#namesMax;
  }

  /** Remembers that someone used these names. */
  add(of: string, names: readonly string[]): void {
    const { current, all } = this.#knownOf(of);
    for (const name of names) {
      current.add(name);
      all.add(name);
    }
  }

  #knownOf(of: string): Known {
    this.#turn();
    const known = this.#known.get(of) ?? { current: new Set(), all: new Set() };
    this.#known.set(of, known);
    return known;
  }

  #turn(): void {
    const hour = Math.floor(this.#clock() / hourMs);
    if (hour === this.#hour) return;
    const isNext = hour === this.#hour + 1;
    const last = [...this.#known].filter(([, { current }]) => isNext && current.size > 0);
    this.#known = new Map(last.map(([of, { current }]) => [of, { current: new Set(), all: current }]));
    this.#hour = hour;
  }
}
