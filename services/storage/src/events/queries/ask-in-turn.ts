import type { Ask } from "./query.ts";

/** Questions without an organization, such as which ones sent telemetry, take their turns as one more scope. */
const noScope = "";

/**
 * Runs at most `atOnce` questions at a time. Scopes with waiting questions take turns, so that one with many doesn't
 * delay the others.
 */
export function askInTurn(ask: Ask, atOnce: number): Ask {
  /** In the order of their turns. */
  const waiting = new Map<string, (() => void)[]>();
  let answering = 0;

  function next(): void {
    const [turn] = waiting;
    if (!turn) return;
    const [scope, [start, ...later]] = turn;
    waiting.delete(scope);
    if (later.length > 0) waiting.set(scope, later);
    start?.();
  }

  async function place(scope: string): Promise<void> {
    if (answering < atOnce) {
      answering += 1;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.set(scope, [...(waiting.get(scope) ?? []), resolve]);
    await promise;
  }

  /** The next question takes the place over. */
  function leave(): void {
    if (waiting.size > 0) next();
    else answering -= 1;
  }

  return async (query, parameters, signal) => {
    const { scope } = parameters;
    await place(typeof scope === "string" ? scope : noScope);
    try {
      return await ask(query, parameters, signal);
    } finally {
      leave();
    }
  };
}
