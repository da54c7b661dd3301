import { readFile } from "node:fs/promises";
import { config } from "./config.ts";

export interface Product {
  readonly sku: string;
  readonly name: string;
  readonly group: string;
  readonly cents: number;
}

/** Reads the products from their file. */
export async function readProducts(): Promise<readonly Product[]> {
  return JSON.parse(await readFile(config.productFile, "utf8")) as Product[];
}
