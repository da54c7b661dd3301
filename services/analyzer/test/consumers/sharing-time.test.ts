import { beforeEach, describe, expect, it } from "vitest";
import { burstMs, sharingTime } from "../../src/consumers/sharing-time.ts";

interface Handled {
  readonly at: number;
  readonly scope: string;
  readonly id: string;
  readonly number: number;
}

const costMs = 100;
const signal = new AbortController().signal;
let now: number;
let handled: Handled[];
/** A queue that delivers messages in the order they are due, as to a consumer with one lane. */
let waiting: { readonly id: string; readonly scope: string; readonly dueAt: number; readonly number: number }[];
let handle: ReturnType<typeof sharingTime<{ readonly scope_id: string }>>;

beforeEach(() => {
  now = 1_000;
  handled = [];
  waiting = [];
  handle = sharingTime(
    async ({ scope_id: scope }, { id, number }) => {
      handled.push({ at: now, scope, id, number });
      now += costMs;
      return undefined;
    },
    () => now,
  );
});

function publish(scope: string, count: number): void {
  for (let index = 0; index < count; index += 1) {
    waiting.push({ id: `${scope}${index}`, scope, dueAt: now, number: 1 });
  }
}

async function takeNext(): Promise<void> {
  const next = waiting.toSorted((left, right) => left.dueAt - right.dueAt)[0];
  if (!next) return;
  waiting = waiting.filter((one) => one !== next);
  now = Math.max(now, next.dueAt);
  const postponed = await handle({ scope_id: next.scope }, { id: next.id, number: next.number, signal });
  if (postponed) waiting.push({ ...next, dueAt: now + postponed.againInMs, number: next.number + 1 });
}

async function takeAll(): Promise<void> {
  while (waiting.length > 0) await takeNext();
}

describe("the time of a consumer", () => {
  it("belongs to one scope for up to half a second at once", async () => {
    publish("a", Math.ceil(burstMs / 2 / costMs));
    await takeAll();
    expect(handled.map(({ at }) => at)).toEqual([1_000, 1_100, 1_200]);
  });

  it("is shared: a message behind a hundred of another scope waits for only a few of them", async () => {
    publish("quiet", 1);
    publish("noisy", 100);
    await takeNext();
    publish("quiet", 1);
    await takeAll();
    expect(handled).toHaveLength(102);
    expect(handled.findLastIndex(({ scope }) => scope === "quiet")).toBeLessThanOrEqual(1 + burstMs / costMs);
  });

  it("belongs to a scope that has been alone for an hour", async () => {
    publish("quiet", 1);
    await takeAll();
    now += 3_600_001;
    publish("alone", 100);
    const begin = now;
    await takeAll();
    expect(now - begin).toBe(100 * costMs);
  });

  it("goes to others by half, even when one scope has many messages waiting", async () => {
    publish("quiet", 1);
    publish("noisy", 100);
    await takeAll();
    const span = now - 1_000;
    expect(span).toBeGreaterThan(2 * 100 * costMs - 2 * burstMs);
    expect(span).toBeLessThan(2 * 100 * costMs + burstMs);
  });

  it("gives each waiting message a slot of its own, in order, and doesn't count the wait as an attempt", async () => {
    publish("quiet", 1);
    publish("noisy", 100);
    await takeAll();
    expect(handled.slice(1).map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, index) => `noisy${index}`));
    expect(new Set(handled.map(({ number }) => number))).toEqual(new Set([1]));
  });

  it("is given to a message that was delivered more than 8 times, so that it doesn't become a dead letter by waiting", async () => {
    publish("quiet", 1);
    publish("noisy", 20);
    for (let count = 0; count < 21; count += 1) await takeNext();
    const late = { scope_id: "noisy" };
    expect(await handle(late, { id: "late", number: 8, signal })).toMatchObject({ againInMs: expect.any(Number) });
    expect(await handle(late, { id: "later", number: 9, signal })).toBeUndefined();
  });
});
