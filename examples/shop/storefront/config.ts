/** What the process was told. */
export interface Config {
  readonly port: number;
  readonly ordersUrl: string;
  readonly paymentsUrl: string;
  readonly catalogUrl: string;
  readonly shippingUrl: string;
  readonly upstreamTimeoutMs: number;
}

export const config: Config = {
  port: Number(process.env.PORT ?? 4101),
  ordersUrl: process.env.ORDERS_URL ?? "http://127.0.0.1:4102",
  paymentsUrl: process.env.PAYMENTS_URL ?? "http://127.0.0.1:4103",
  catalogUrl: process.env.CATALOG_URL ?? "http://127.0.0.1:4104",
  shippingUrl: process.env.SHIPPING_URL ?? "http://127.0.0.1:4105",
  upstreamTimeoutMs: Number(process.env.UPSTREAM_TIMEOUT_MS ?? 10_000),
};
