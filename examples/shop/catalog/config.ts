import { join } from "node:path";

/** What the process was told. */
export interface Config {
  readonly port: number;
  /** The products, as the people who buy them in keep them. */
  readonly productFile: string;
  /** So long after it was read, the file is read again. */
  readonly reloadMs: number;
}

export const config: Config = {
  port: Number(process.env.PORT ?? 4104),
  productFile: process.env.PRODUCT_FILE ?? join(import.meta.dirname, "products.json"),
  reloadMs: Number(process.env.PRODUCT_RELOAD_MS ?? 2_000),
};
