/** What the process was told. */
export interface Config {
  readonly port: number;
  readonly paymentsUrl: string;
  readonly catalogUrl: string;
  readonly shippingUrl: string;
  /** Undefined: everything is sold at its price. */
  readonly discountsUrl: string | undefined;
  readonly poolSize: number;
  readonly acquireTimeoutMs: number;
  readonly upstreamTimeoutMs: number;
  /** Pause before a parcel is handed over once more. */
  readonly handOverAgainMs: number;
}

export const config: Config = {
  port: Number(process.env.PORT ?? 4102),
  paymentsUrl: process.env.PAYMENTS_URL ?? "http://127.0.0.1:4103",
  catalogUrl: process.env.CATALOG_URL ?? "http://127.0.0.1:4104",
  shippingUrl: process.env.SHIPPING_URL ?? "http://127.0.0.1:4105",
  discountsUrl: process.env.DISCOUNTS_URL,
  poolSize: 4,
  acquireTimeoutMs: 1_000,
  upstreamTimeoutMs: Number(process.env.UPSTREAM_TIMEOUT_MS ?? 6_000),
  handOverAgainMs: 500,
};
