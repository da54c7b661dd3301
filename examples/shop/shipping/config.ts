import { tmpdir } from "node:os";
import { join } from "node:path";

/** What the process was told. */
export interface Config {
  readonly port: number;
  /** Where labels are bought; undefined: they are made up, for trying things out. */
  readonly carrierUrl: string | undefined;
  readonly carrierToken: string;
  /** What the driver signs for. */
  readonly manifestFile: string;
  readonly upstreamTimeoutMs: number;
}

export const config: Config = {
  port: Number(process.env.PORT ?? 4105),
  carrierUrl: process.env.CARRIER_URL,
  carrierToken: process.env.CARRIER_TOKEN ?? "",
  manifestFile: process.env.MANIFEST_FILE ?? join(tmpdir(), "shop-manifest.txt"),
  upstreamTimeoutMs: Number(process.env.UPSTREAM_TIMEOUT_MS ?? 3_000),
};
