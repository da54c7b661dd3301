import type { Queue } from "@whence/storage";
import type { GatewayMetrics } from "./metrics.ts";
import type { SpanAllowance } from "./otlp/span-allowance.ts";
import type { FindSender } from "./plugins/authenticate.ts";
import type { Quota } from "./plugins/quota.ts";
import type { Hook, LoadShedding } from "./plugins/shed-load.ts";

/** What the routes of another protocol than our own are served with. */
export interface ForeignRoutesOptions {
  readonly queue: Queue;
  readonly clock: () => number;
  readonly metrics: GatewayMetrics;
  readonly quota: Quota;
  readonly find: FindSender;
  readonly allowance: SpanAllowance;
  /** In order, before anything else. */
  readonly isOpen: readonly Hook[];
  /** In order, once the sender is known. */
  readonly isWithinLimits: readonly Hook[];
  readonly takePlace: LoadShedding["takePlace"];
}
