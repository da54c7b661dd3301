import type { ProcessState, ServiceProcess } from "@whence/protocol";
import type { Crash, InstanceLife } from "@whence/storage";

/**
 * A process that sent nothing for this long isn't live: two missed heartbeats, one minute apart as specified, and half
 * a minute for delivery.
 */
export const aliveMs = 150_000;

/** Returns the processes as the page shows them, in their order. */
export function serviceProcesses(
  lives: readonly InstanceLife[],
  crashes: readonly Crash[],
  now: number,
): ServiceProcess[] {
  const crashed = new Set(crashes.map(({ instance }) => instance));
  return lives.map((life) => ({
    instance: life.instance,
    host: life.host,
    release: life.release || null,
    state: stateOf(life, crashed.has(life.instance), now),
    started_at: life.firstAt,
    last_seen_at: life.lastAt,
  }));
}

function stateOf({ ended, lastAt }: InstanceLife, hasCrashed: boolean, now: number): ProcessState {
  if (hasCrashed) return "crashed";
  if (ended) return "shut-down";
  return now - Date.parse(lastAt) <= aliveMs ? "live" : "silent";
}

/**
 * Returns how many processes started since a time on a host where one of the same release had ended, each ended one
 * followed by one process only: more processes and new releases aren't restarts.
 */
export function countRestarts(processes: readonly ServiceProcess[], since: string): number {
  const places = Map.groupBy(processes, ({ host, release }) => JSON.stringify([host, release]));
  return [...places.values()].reduce((sum, place) => sum + restartsOf(place, Date.parse(since)), 0);
}

function restartsOf(place: readonly ServiceProcess[], since: number): number {
  const ends = place
    .filter(({ state }) => state !== "live")
    .map(({ last_seen_at: at }) => Date.parse(at))
    .toSorted((left, right) => left - right);
  const starts = place.map(({ started_at: at }) => Date.parse(at)).toSorted((left, right) => left - right);
  let restarts = 0;
  for (const start of starts) {
    const end = ends[0];
    // A process that was seen once ended when it started, and doesn't follow itself.
    if (end === undefined || end >= start) continue;
    ends.shift();
    if (start >= since) restarts += 1;
  }
  return restarts;
}
