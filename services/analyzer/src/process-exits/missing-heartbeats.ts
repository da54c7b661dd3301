import type { ProcessLife } from "@whence/storage";

/** How long processes may be silent, all of it in milliseconds. */
export interface SilenceTimes {
  /** A process that was not heard for so long is gone: two missed heartbeats, and what delivery takes. */
  readonly silentAfterMs: number;
  /**
   * Heartbeats are so far apart that what ended at one moment falls silent within this. Who lived for less is a job that
   * was done, as far as anybody can tell.
   */
  readonly spreadMs: number;
}

/** With everything derived from the one number that an operator may choose. */
export function silenceTimes(silentAfterMs: number): SilenceTimes {
  const heartbeatShare = 0.4;
  return { silentAfterMs, spreadMs: Math.round(silentAfterMs * heartbeatShare) };
}

/** So much longer is waited when it may be us who hear nothing. */
export const patienceWhenSuspicious = 3;
const suspiciousMin = 4;
const servicesOfEverythingMin = 3;

/** What is looked at in one look. */
export interface Listening {
  readonly now: number;
  /** Since when telemetry is taken without a break: whoever fell silent before may have told its end to nobody. */
  readonly since: number;
  /** 1, or {@link patienceWhenSuspicious}. */
  readonly patience: number;
}

/**
 * The processes that fell silent, those together that did within one spread of heartbeats. A cluster is given once
 * nobody can join it any more.
 */
export function silentClusters(
  lives: readonly ProcessLife[],
  { now, since, patience }: Listening,
  { silentAfterMs, spreadMs }: SilenceTimes,
): ProcessLife[][] {
  const silent = lives
    .filter((life) => !life.ended && lastHeard(life) >= since && now - lastHeard(life) >= silentAfterMs)
    .toSorted((left, right) => lastHeard(left) - lastHeard(right));
  const clusters: ProcessLife[][] = [];
  for (const life of silent) {
    const cluster = clusters.at(-1);
    const [first] = cluster ?? [];
    if (cluster && first && lastHeard(life) - lastHeard(first) <= spreadMs) cluster.push(life);
    else clusters.push([life]);
  }
  return clusters.filter(([first]) => first && now - lastHeard(first) >= silentAfterMs * patience + spreadMs);
}

/**
 * Whether so many processes of several organizations fell silent lately that the likelier explanation is on our side: a
 * proxy, a certificate, a network in front of the gateways.
 */
export function isSuspicious(
  scopes: readonly (readonly ProcessLife[])[],
  { now, since }: Pick<Listening, "now" | "since">,
  { silentAfterMs, spreadMs }: SilenceTimes,
): boolean {
  const sinceWhen = Math.max(since, now - patienceWhenSuspicious * silentAfterMs - 2 * spreadMs);
  const fell = scopes.map((lives) =>
    lives.filter((life) => !life.ended && lastHeard(life) >= sinceWhen && now - lastHeard(life) >= silentAfterMs),
  );
  const alive = scopes.flatMap((lives) => lives.filter((life) => !life.ended && now - lastHeard(life) < silentAfterMs));
  const count = fell.reduce((sum, { length }) => sum + length, 0);
  return fell.filter(({ length }) => length > 0).length > 1 && count >= Math.max(suspiciousMin, alive.length);
}

/** What fell silent together, by what they have in common. */
export interface SilentShape {
  /** Null: nothing but the moment. */
  readonly shared: "host-lost" | "everything-silent" | null;
  readonly lives: readonly ProcessLife[];
}

/**
 * Parts a cluster: most of what an organization runs, over several machines and services, is one thing; all of one
 * machine is one thing, unless it is the machine we run on; the rest each ended by themselves, as do those `apart`:
 * their own readings say why, or they were heard too shortly to be more than jobs.
 */
export function shapesOf(
  cluster: readonly ProcessLife[],
  lives: readonly ProcessLife[],
  { apart, ownHost }: { readonly apart: ReadonlySet<string>; readonly ownHost: string },
): SilentShape[] {
  const until = Math.max(...cluster.map(lastHeard));
  const alive = lives.filter((life) => !life.ended && lastHeard(life) > until);
  const together = cluster.filter(({ instance }) => !apart.has(instance));
  const hosts = Map.groupBy(together, ({ host }) => host);
  const services = new Set(together.map(({ service }) => service));
  const isEverything = services.size >= servicesOfEverythingMin && hosts.size > 1 && together.length >= alive.length;
  const single = cluster.filter(({ instance }) => apart.has(instance));
  if (isEverything) return [{ shared: "everything-silent", lives: together }, ...singles(single)];
  const lost = [...hosts].filter(
    ([host, there]) => there.length > 1 && host !== ownHost && !alive.some((life) => life.host === host),
  );
  const lostHosts = new Set(lost.map(([host]) => host));
  return [
    ...lost.map(([, there]): SilentShape => ({ shared: "host-lost", lives: there })),
    ...singles([...single, ...together.filter(({ host }) => !lostHosts.has(host))]),
  ];
}

function singles(lives: readonly ProcessLife[]): SilentShape[] {
  return lives.map((life) => ({ shared: null, lives: [life] }));
}

/** How many other processes of the same services were heard of lately. */
export function othersHeard(
  silent: readonly ProcessLife[],
  lives: readonly ProcessLife[],
  { now }: Pick<Listening, "now">,
  { silentAfterMs }: SilenceTimes,
): number {
  const instances = new Set(silent.map(({ instance }) => instance));
  const services = new Set(silent.map(({ service }) => service));
  return lives.filter(
    (life) =>
      !life.ended &&
      services.has(life.service) &&
      !instances.has(life.instance) &&
      now - lastHeard(life) < silentAfterMs,
  ).length;
}

/** In milliseconds since the epoch. */
export function firstHeard({ firstHeardAt }: Pick<ProcessLife, "firstHeardAt">): number {
  return Date.parse(firstHeardAt);
}

/** In milliseconds since the epoch. */
export function lastHeard({ lastHeardAt }: Pick<ProcessLife, "lastHeardAt">): number {
  return Date.parse(lastHeardAt);
}
