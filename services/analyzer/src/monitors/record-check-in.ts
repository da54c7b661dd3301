import type { CheckInStatus } from "@whence/protocol";
import type { StoredMonitor } from "@whence/storage";
import { checkedIn } from "./check-in.ts";
import { type SettlingContext, settleCheck } from "./settle-check.ts";

/** How often a check-in is written again when its monitor is written at the same time. */
const attemptsMax = 5;

/**
 * Records what a job reports. Returns its monitor as written, or as it is while it is paused; null when no monitor takes
 * check-ins of this name with this key, or it is written by too many at the same time.
 */
export async function recordCheckIn(
  context: SettlingContext,
  { slug, keyHash, status }: { readonly slug: string; readonly keyHash: string; readonly status: CheckInStatus },
): Promise<StoredMonitor | null> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const monitor = await context.control.monitors.ofKey(keyHash);
    if (monitor?.check.kind !== "check-in" || monitor.check.slug !== slug) return null;
    if (monitor.nextCheckAt === null) return monitor;
    const checked = checkedIn(
      { check: monitor.check, progress: monitor.progress },
      {
        status,
        at: context.clock(),
      },
    );
    const written = await settleCheck(context, monitor, checked);
    if (written) return written;
  }
  throw new Error(`check-in ${slug} was written at the same time ${attemptsMax} times in a row`);
}
