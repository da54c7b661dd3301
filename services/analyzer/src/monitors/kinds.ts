import type { MonitorCheck } from "@whence/protocol";
import type { StoredMonitor } from "@whence/storage";
import { checkIn } from "./check-in.ts";
import type { CheckContext, Checked, MonitorKind, SettingProblem } from "./monitor-kind.ts";
import { threshold } from "./threshold.ts";
import { uptime } from "./uptime.ts";

type KindOf<Name extends MonitorCheck["kind"]> = MonitorKind<Extract<MonitorCheck, { readonly kind: Name }>>;

/** Every kind of monitor. */
const kinds: { readonly [Name in MonitorCheck["kind"]]: KindOf<Name> } = { uptime, threshold, "check-in": checkIn };

/** Returns the kind of monitor as people know it. */
export function labelOf({ kind }: Pick<MonitorCheck, "kind">): string {
  return kinds[kind].label;
}

/** Returns why settings can't work; null when they can. */
export function problemOf(
  check: MonitorCheck,
  context: Pick<CheckContext, "mayReach" | "clock">,
): SettingProblem | null {
  return withKind(check, (kind, own) => kind.problem?.(own, context) ?? null);
}

/** Returns what a monitor found, in words: `https://shop.example.com/ answered 503`. */
export function statementOf(monitor: StoredMonitor, reason: string): string {
  const subject = withKind(monitor.check, (kind, check) => kind.subject({ ...monitor, check }));
  return `${subject} ${reason}`;
}

/** Returns when a monitor is checked first. */
export function beginning(check: MonitorCheck, now: number): Omit<Checked, "result"> {
  return withKind(check, (kind, own) => kind.begin(own, now));
}

/** Checks a monitor now. */
export function checkMonitor(monitor: StoredMonitor, context: CheckContext): Promise<Checked> {
  return withKind(monitor.check, (kind, check) => kind.check({ ...monitor, check }, context));
}

/** Calls a function with a check and the kind of its type. */
function withKind<Result>(
  check: MonitorCheck,
  use: <Check extends MonitorCheck>(kind: MonitorKind<Check>, check: Check) => Result,
): Result {
  switch (check.kind) {
    case "uptime":
      return use(kinds.uptime, check);
    case "threshold":
      return use(kinds.threshold, check);
    case "check-in":
      return use(kinds["check-in"], check);
  }
}
