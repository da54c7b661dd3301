/** What the process was told. */
export interface Config {
  readonly port: number;
  readonly ordersUrl: string;
  readonly paymentsUrl: string;
}

export const config: Config = {
  port: Number(process.env.PORT ?? 4101),
  ordersUrl: process.env.ORDERS_URL ?? "http://127.0.0.1:4102",
  paymentsUrl: process.env.PAYMENTS_URL ?? "http://127.0.0.1:4103",
};
