import type { Product } from "./product-file.ts";
import { products } from "./products.ts";

const pageSize = 4;

/** A page of search results. */
export interface Page {
  readonly products: readonly Product[];
  /** The numbers of all pages, from 1. */
  readonly pages: readonly number[];
}

/** Returns the products whose names contain all words, page by page. */
export async function search(text: string, page: number): Promise<Page> {
  const words = text.toLowerCase().split(" ");
  const found = [...(await products()).values()].filter(({ name }) =>
    words.every((word) => name.toLowerCase().includes(word)),
  );
  const first = (page - 1) * pageSize;
  return { products: found.slice(first, first + pageSize), pages: pageNumbers(found.length) };
}

function pageNumbers(found: number): number[] {
  return Array.from({ length: Math.ceil(found / pageSize) }, (_, index) => index + 1);
}
