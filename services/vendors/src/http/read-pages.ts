import { vendorLimits } from "./vendor-limits.ts";

/** A page of a list, and what leads to the next one; null after the last. */
export interface ListPage<Item, Next> {
  readonly items: readonly Item[];
  readonly next: Next | null;
}

/** Leaves time to answer with what was read: an integration that doesn't answer in time tells nothing. */
const furtherPagesWithinMs = 4_000;

/**
 * The items of the pages that there are, up to the limit. A page after the first that fails, or that comes too late, ends
 * the list: what came before counts. Rejects when the first page fails.
 */
export async function readPages<Item, Next>(
  read: (next: Next | null, signal: AbortSignal) => Promise<ListPage<Item, Next>>,
  signal: AbortSignal,
): Promise<Item[]> {
  const withinTime = AbortSignal.any([signal, AbortSignal.timeout(furtherPagesWithinMs)]);
  const first = await read(null, signal);
  const items = [...first.items];
  let { next } = first;
  for (let page = 2; next !== null && page <= vendorLimits.pagesMax; page += 1) {
    const further = await read(next, withinTime).catch(() => null);
    signal.throwIfAborted();
    items.push(...(further?.items ?? []));
    next = further?.next ?? null;
  }
  return items;
}
