import { config } from "./config.ts";
import { type Product, readProducts } from "./product-file.ts";

let bySku = new Map<string, Product>();
let readAt = 0;

/** Returns all products, by number. */
export async function products(): Promise<ReadonlyMap<string, Product>> {
  if (Date.now() - readAt > config.reloadMs) {
    bySku = new Map((await readProducts()).map((product) => [product.sku, product]));
    readAt = Date.now();
  }
  return bySku;
}

/** Returns the product, or undefined if there is none with that number. */
export async function findProduct(sku: string): Promise<Product | undefined> {
  return (await products()).get(sku);
}
