import type { ProcessLife } from "@whence/storage";

/** How long processes may send nothing, in milliseconds. */
export interface ExitTimes {
  /** A process that has sent nothing for this long has ended: two missed heartbeats plus delivery. */
  readonly exitAfterMs: number;
  /**
   * Processes that end at one moment send their last heartbeat within this time, because of the interval between heartbeats. A process that
   * lived for less may be a job that finished.
   */
  readonly spreadMs: number;
}

/** Derives all times from the one number that an operator may set. */
export function exitTimes(exitAfterMs: number): ExitTimes {
  const heartbeatShare = 0.4;
  return { exitAfterMs, spreadMs: Math.round(exitAfterMs * heartbeatShare) };
}

/** How many times longer to wait while the problem may be on our side. */
export const patienceWhenSuspicious = 3;
const suspiciousMin = 4;
const servicesOfEverythingMin = 3;

/** The conditions of one look. */
export interface Listening {
  readonly now: number;
  /** The time since which telemetry has been accepted without a break. An exit reported earlier may have been lost. */
  readonly since: number;
  /** 1, or {@link patienceWhenSuspicious}. */
  readonly patience: number;
}

/**
 * Groups the processes that stopped within one spread of heartbeats. Returns a cluster once no other process can
 * still belong to it.
 */
export function exitClusters(
  lives: readonly ProcessLife[],
  { now, since, patience }: Listening,
  { exitAfterMs, spreadMs }: ExitTimes,
): ProcessLife[][] {
  const stopped = lives
    .filter((life) => !life.ended && lastSeen(life) >= since && now - lastSeen(life) >= exitAfterMs)
    .toSorted((left, right) => lastSeen(left) - lastSeen(right));
  const clusters: ProcessLife[][] = [];
  for (const life of stopped) {
    const cluster = clusters.at(-1);
    const [first] = cluster ?? [];
    if (cluster && first && lastSeen(life) - lastSeen(first) <= spreadMs) cluster.push(life);
    else clusters.push([life]);
  }
  return clusters.filter(([first]) => first && now - lastSeen(first) >= exitAfterMs * patience + spreadMs);
}

/**
 * Returns whether processes of several organizations stopped at about the same time, which more likely has a cause on
 * our side: a proxy, a certificate, or the network in front of the gateways.
 */
export function isSuspicious(
  scopes: readonly (readonly ProcessLife[])[],
  { now, since }: Pick<Listening, "now" | "since">,
  { exitAfterMs, spreadMs }: ExitTimes,
): boolean {
  const sinceWhen = Math.max(since, now - patienceWhenSuspicious * exitAfterMs - 2 * spreadMs);
  const fell = scopes.map((lives) =>
    lives.filter((life) => !life.ended && lastSeen(life) >= sinceWhen && now - lastSeen(life) >= exitAfterMs),
  );
  const alive = scopes.flatMap((lives) => lives.filter((life) => !life.ended && now - lastSeen(life) < exitAfterMs));
  const count = fell.reduce((sum, { length }) => sum + length, 0);
  return fell.filter(({ length }) => length > 0).length > 1 && count >= Math.max(suspiciousMin, alive.length);
}

/** Processes that stopped together, and what they have in common. */
export interface ExitShape {
  /** Null: only the time. */
  readonly shared: "host-lost" | "everything-lost" | null;
  readonly lives: readonly ProcessLife[];
}

/**
 * Splits a cluster by cause. Most of what an organization runs, across several hosts and services, is one shape; everything
 * on one host is one, unless it is the host we run on or has no name; the rest ended separately. So did those in `apart`: their own readings
 * explain it, or they were too short-lived to be more than jobs.
 */
export function shapesOf(
  cluster: readonly ProcessLife[],
  lives: readonly ProcessLife[],
  { apart, ownHost }: { readonly apart: ReadonlySet<string>; readonly ownHost: string },
): ExitShape[] {
  const until = Math.max(...cluster.map(lastSeen));
  const alive = lives.filter((life) => !life.ended && lastSeen(life) > until);
  const together = cluster.filter(({ instance }) => !apart.has(instance));
  const hosts = Map.groupBy(together, ({ host }) => host);
  const services = new Set(together.map(({ service }) => service));
  const isEverything = services.size >= servicesOfEverythingMin && hosts.size > 1 && together.length >= alive.length;
  const single = cluster.filter(({ instance }) => apart.has(instance));
  if (isEverything) return [{ shared: "everything-lost", lives: together }, ...singles(single)];
  const lost = [...hosts].filter(
    ([host, there]) => there.length > 1 && !["", ownHost].includes(host) && !alive.some((life) => life.host === host),
  );
  const lostHosts = new Set(lost.map(([host]) => host));
  return [
    ...lost.map(([, there]): ExitShape => ({ shared: "host-lost", lives: there })),
    ...singles([...single, ...together.filter(({ host }) => !lostHosts.has(host))]),
  ];
}

function singles(lives: readonly ProcessLife[]): ExitShape[] {
  return lives.map((life) => ({ shared: null, lives: [life] }));
}

/** Returns how many other processes of the same services are still sending telemetry. */
export function othersReporting(
  stopped: readonly ProcessLife[],
  lives: readonly ProcessLife[],
  { now }: Pick<Listening, "now">,
  { exitAfterMs }: ExitTimes,
): number {
  const instances = new Set(stopped.map(({ instance }) => instance));
  const services = new Set(stopped.map(({ service }) => service));
  return lives.filter(
    (life) =>
      !life.ended && services.has(life.service) && !instances.has(life.instance) && now - lastSeen(life) < exitAfterMs,
  ).length;
}

/** Returns milliseconds since 1970. */
export function firstSeen({ firstSeenAt }: Pick<ProcessLife, "firstSeenAt">): number {
  return Date.parse(firstSeenAt);
}

/** Returns milliseconds since 1970. */
export function lastSeen({ lastSeenAt }: Pick<ProcessLife, "lastSeenAt">): number {
  return Date.parse(lastSeenAt);
}
