import { config } from "./config.ts";
import { askUpstream } from "./upstream.ts";

export interface Product {
  readonly sku: string;
  readonly name: string;
  readonly cents: number;
}

/** A page of what the catalog found. */
export interface ProductPage {
  readonly products: readonly Product[];
  readonly pages: readonly number[];
}

/** The products whose names contain the words. */
export async function searchProducts(words: string, page: number): Promise<ProductPage> {
  const query = new URLSearchParams({ q: words, page: String(page) });
  const response = await askUpstream(`${config.catalogUrl}/products?${query}`);
  return (await response.json()) as ProductPage;
}
