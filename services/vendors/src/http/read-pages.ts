import { vendorLimits } from "./vendor-limits.ts";

/** A page of a list, and the cursor of the next one; null after the last. */
export interface ListPage<Item, Next> {
  readonly items: readonly Item[];
  readonly next: Next | null;
}

/** The part of a list that was read. */
export interface ReadList<Item> {
  readonly items: Item[];
  /** Whether no page is left. */
  readonly isWhole: boolean;
}

/** Leaves time to respond with what was read: an integration that misses its deadline contributes nothing. */
const furtherPagesWithinMs = 4_000;

/**
 * Reads the items of a list's first pages, each by its cursor, null for the first one. A later page that fails or comes
 * too late ends the list, and the earlier ones are used. Rejects when the first page fails.
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
