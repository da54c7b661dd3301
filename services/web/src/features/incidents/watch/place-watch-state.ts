import type { PlaceWatch } from "@whence/protocol";
import { sentenceTime } from "../../../lib/times.ts";

type Ends = Pick<PlaceWatch, "stopped_at" | "expires_at">;

/** Whether the watch still asks processes, at a time in milliseconds since 1970. */
export function isRunning({ stopped_at: stopped, expires_at: expires }: Ends, now: number): boolean {
  return stopped === null && now < Date.parse(expires);
}

/**
 * The state of a watch in a few words. A process that refused or ended doesn't end the watch: another one may be armed.
 */
export function watchState(watch: Ends & Pick<PlaceWatch, "process" | "processes" | "seen">, now: number): string {
  const { process, processes, seen } = watch;
  const failures = seen === null ? null : `seen in ${seen.failures} ${seen.failures === 1 ? "failure" : "failures"}`;
  if (!isRunning(watch, now))
    return [watch.stopped_at === null ? "over" : "stopped", failures ?? "nothing seen"].join(", ");
  if (failures !== null) return failures;
  if (process === null) return "no process has answered yet";
  const until = sentenceTime(watch.expires_at, now);
  if (processes.armed > 0)
    return `armed ${processes.armed > 1 ? `in ${processes.armed} processes ` : ""}until ${until}`;
  return process.state === "refused" ? "refused by a process" : "ended in a process";
}
