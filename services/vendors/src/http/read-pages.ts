import { vendorLimits } from "./vendor-limits.ts";

/** A page of a list, and what leads to the next one; null after the last. */
export interface ListPage<Item, Next> {
  readonly items: readonly Item[];
  readonly next: Next | null;
}

/** What was read of a list. */
export interface ReadList<Item> {
  readonly items: Item[];
  /** Whether no page is left. */
  readonly isWhole: boolean;
}

/** Leaves time to answer with what was read: an integration that doesn't answer in time tells nothing. */
const furtherPagesWithinMs = 4_000;

/**
 * Reads what an investigation gets of a list: the items of its first pages, each by what leads to it, null for the first one.
 * A page after the first that fails, or that comes too late, ends the list: what came before counts. Rejects when the first
 * page fails.
 */
export async function readPages<Item, Next>(
  read: (next: Next | null, signal: AbortSignal) => Promise<ListPage<Item, Next>>,
  signal: AbortSignal,
  pagesMax: number = vendorLimits.pagesMax,
): Promise<Item[]> {
  const withinTime = AbortSignal.any([signal, AbortSignal.timeout(furtherPagesWithinMs)]);
  const { items } = await readEveryPage<Item, Next>(async (next) => {
    if (next === null) return read(null, signal);
    const further = await read(next, withinTime).catch(() => null);
    signal.throwIfAborted();
    return further ?? { items: [], next: null };
  }, pagesMax);
  return items;
}

/** Reads the items of a list's first pages. Rejects when one of them fails. */
export async function readEveryPage<Item, Next>(
  read: (next: Next | null) => Promise<ListPage<Item, Next>>,
  pagesMax: number = vendorLimits.pagesMax,
): Promise<ReadList<Item>> {
  const items: Item[] = [];
  let next: Next | null = null;
  for (let page = 1; page <= pagesMax; page += 1) {
    const current: ListPage<Item, Next> = await read(next);
    items.push(...current.items);
    next = current.next;
    if (next === null) return { items, isWhole: true };
  }
  return { items, isWhole: false };
}
