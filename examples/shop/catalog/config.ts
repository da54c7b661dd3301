import { join } from "node:path";

/** The configuration of the process. */
export interface Config {
  readonly port: number;
  /** The product list, maintained by the purchasing team. */
  readonly productFile: string;
  /** How often the file is read again. */
  readonly reloadMs: number;
}

export const config: Config = {
  port: Number(process.env.PORT ?? 4104),
  productFile: process.env.PRODUCT_FILE ?? join(import.meta.dirname, "products.json"),
  reloadMs: Number(process.env.PRODUCT_RELOAD_MS ?? 2_000),
};
