import type { MonitorCheck, MonitorResult } from "@whence/protocol";
import type { EventStore, MonitorProgress, StoredMonitor } from "@whence/storage";
import type { AddressGuard } from "@whence/vendors";
import type { TelemetryArrival } from "../process-exits/listening.ts";

/** What checks need. */
export interface CheckContext extends TelemetryArrival {
  readonly events: Pick<EventStore, "forScope">;
  readonly mayReach: AddressGuard;
  readonly clock: () => number;
}

/** A monitor with a check of one kind. */
export type MonitorOf<Check extends MonitorCheck> = StoredMonitor & { readonly check: Check };

/** The parts of a monitor's progress that depend on its kind. */
export type OwnProgress = Partial<Pick<MonitorProgress, "expectedAt" | "runningSince" | "runId">>;

/** One check of a monitor, and when the next one is due, in milliseconds since 1970. */
export interface Checked {
  readonly result: MonitorResult;
  readonly nextCheckAt: number;
  readonly own?: OwnProgress;
}

/** A setting that can't work, and why. */
export interface SettingProblem {
  readonly setting: string;
  readonly message: string;
}

/** One kind of monitor. */
export interface MonitorKind<Check extends MonitorCheck> {
  /** As people know it: `Uptime check`. */
  readonly label: string;
  /** Why these settings can't work; null when they can. */
  problem?(check: Check, context: Pick<CheckContext, "mayReach" | "clock">): SettingProblem | null;
  /** What the reasons of its results are about: `https://shop.example.com/` of `answered 503`. */
  subject(monitor: MonitorOf<Check>): string;
  /** When the first check is due after it was made, changed, or resumed. */
  begin(check: Check, now: number): Omit<Checked, "result">;
  /** Checks it now. Rejects only when the service's own data can't be read. */
  check(monitor: MonitorOf<Check>, context: CheckContext): Promise<Checked>;
}

/** Returns the result of a check that ends now. */
export function resultOf(
  now: number,
  outcome: MonitorResult["outcome"],
  reason: string,
  measured: Partial<Pick<MonitorResult, "duration_ms" | "value">> = {},
): MonitorResult {
  return { at: new Date(now).toISOString(), outcome, reason, duration_ms: null, value: null, ...measured };
}
