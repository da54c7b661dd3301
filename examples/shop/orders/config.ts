/** What the process was told. */
export interface Config {
  readonly port: number;
  readonly paymentsUrl: string;
  readonly poolSize: number;
  readonly acquireTimeoutMs: number;
}

export const config: Config = {
  port: Number(process.env.PORT ?? 4102),
  paymentsUrl: process.env.PAYMENTS_URL ?? "http://127.0.0.1:4103",
  poolSize: 4,
  acquireTimeoutMs: 1_000,
};
