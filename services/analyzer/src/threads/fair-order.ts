/** Anything that belongs to a scope. */
export interface OfScope {
  readonly scopeId: string;
}

/**
 * Takes waiting items so that every scope gets its turn, even if another has many. `order` sorts a scope's items, the
 * most urgent first; the scope that was served least recently comes first. A scope without waiting items is forgotten,
 * so that turns aren't saved up.
 */
export class FairOrder {
  #served = new Map<string, number>();

  /** Takes `count` items now, from each scope as many as it has room for. */
  take<Item extends OfScope>(
    waiting: readonly Item[],
    count: number,
    roomOf: (scopeId: string) => number = () => Number.POSITIVE_INFINITY,
  ): Item[] {
    const all = Map.groupBy(waiting, ({ scopeId }) => scopeId);
    const queues = new Map([...all].map(([scope, items]) => [scope, items.slice(0, Math.max(0, roomOf(scope)))]));
    for (const [scope, items] of queues) if (items.length === 0) queues.delete(scope);
    const least = Math.min(...[...all.keys()].flatMap((scope) => this.#served.get(scope) ?? []));
    const start = Number.isFinite(least) ? least : 0;
    this.#served = new Map([...all.keys()].map((scope) => [scope, this.#served.get(scope) ?? start]));
    const taken: Item[] = [];
    while (taken.length < count) {
      const scope = [...queues.keys()].toSorted((left, right) => this.#turns(left) - this.#turns(right))[0];
      const next = scope === undefined ? undefined : queues.get(scope)?.shift();
      if (scope === undefined || next === undefined) break;
      if (queues.get(scope)?.length === 0) queues.delete(scope);
      this.#served.set(scope, this.#turns(scope) + 1);
      taken.push(next);
    }
    return taken;
  }

  #turns(scope: string): number {
    return this.#served.get(scope) ?? 0;
  }
}
