import { tmpdir } from "node:os";

/** What the process was told. */
export interface Config {
  readonly port: number;
  /** True while the database is being moved: every request gets the maintenance page. */
  readonly inMaintenance: boolean;
  /** Receipts are signed with it. */
  readonly receiptSigningKey: string;
  /** Refunds are written down here, for the accountants. */
  readonly auditDirectory: string;
  /** Who takes the money from the card; undefined: no one, for trying things out. */
  readonly acquirerUrl: string | undefined;
  readonly acquirerToken: string;
  readonly upstreamTimeoutMs: number;
}

export const config: Config = {
  port: Number(process.env.PORT ?? 4103),
  inMaintenance: process.env.MAINTENANCE === "on",
  receiptSigningKey: process.env.RECEIPT_SIGNING_KEY as string,
  auditDirectory: process.env.AUDIT_DIRECTORY ?? tmpdir(),
  acquirerUrl: process.env.ACQUIRER_URL,
  acquirerToken: process.env.ACQUIRER_TOKEN ?? "",
  upstreamTimeoutMs: Number(process.env.UPSTREAM_TIMEOUT_MS ?? 3_000),
};
