import { explains, mostLikelyExit, mostTelling, type PossibleExit } from "@whence/engine";
import type { ProcessExit, ProcessExitKind } from "@whence/protocol";
import type { ProcessLife, ScopedEvents } from "@whence/storage";
import { isShortLived } from "./crash-loop.ts";
import { type LastHeartbeat, readLastHeartbeat } from "./last-heartbeat.ts";
import {
  type ExitShape,
  type ExitTimes,
  type Listening,
  lastSeen,
  othersReporting,
  patienceWhenSuspicious,
  shapesOf,
} from "./missing-heartbeats.ts";
import { readCrashLoop } from "./read-crash-loop.ts";
import { reasonToSkip, type SkipReason } from "./reason-to-skip.ts";

/** Processes of one cluster that are read: more than a report names. */
const processesReadMax = 50;

const sharedConfidence: Readonly<Record<Extract<ProcessExitKind, "host-lost" | "everything-lost">, number>> = {
  "host-lost": 0.7,
  "everything-lost": 0.6,
};

/** Processes that likely ended for the same reason, and why no incident is opened; null if one is. */
export interface NoticedExit {
  readonly exit: ProcessExit;
  readonly lives: readonly ProcessLife[];
  readonly skip: SkipReason | null;
}

/** The context in which a cluster is judged. */
export interface ClusterSurroundings {
  readonly events: ScopedEvents;
  /** All processes of the scope that sent telemetry recently. */
  readonly lives: readonly ProcessLife[];
  readonly listening: Listening;
  readonly times: ExitTimes;
  readonly ownHost: string;
}

/** Returns how processes that stopped together ended. Those that `reported` their exit are known already. */
export async function exitsOfCluster(
  cluster: readonly ProcessLife[],
  around: ClusterSurroundings,
): Promise<{ reported: ProcessLife[]; exits: NoticedExit[] }> {
  const last = new Map<string, LastHeartbeat>();
  for (const life of cluster.slice(0, processesReadMax)) {
    last.set(life.instance, await readLastHeartbeat(around.events, life));
  }
  const reported = cluster.filter(({ instance }) => last.get(instance)?.reportedItsEnd);
  const unreported = cluster.filter(({ instance }) => last.has(instance) && !last.get(instance)?.reportedItsEnd);
  const ends = new Map(unreported.map(({ instance }) => [instance, mostLikelyExit(last.get(instance)?.process)]));
  const isApart = (life: ProcessLife): boolean => {
    const end = ends.get(life.instance);
    return isShortLived(life, around.times) || (end !== undefined && explains(end));
  };
  const apart = new Set(unreported.filter(isApart).map(({ instance }) => instance));
  const exits: NoticedExit[] = [];
  for (const shape of shapesOf(unreported, around.lives, { apart, ownHost: around.ownHost })) {
    const exit = isDue(shape, around) ? await exitOf(shape, { last, ends }, around) : null;
    if (exit) exits.push(exit);
  }
  return { reported, exits };
}

/** Returns whether it is time to decide: later while the problem may be on our side. */
function isDue({ shared, lives: [first] }: ExitShape, { listening, times }: ClusterSurroundings): boolean {
  const patience = shared === "everything-lost" ? patienceWhenSuspicious : listening.patience;
  return first !== undefined && listening.now - lastSeen(first) >= times.exitAfterMs * patience;
}

async function exitOf(
  { shared, lives: together }: ExitShape,
  { last, ends }: { last: ReadonlyMap<string, LastHeartbeat>; ends: ReadonlyMap<string, PossibleExit> },
  around: ClusterSurroundings,
): Promise<NoticedExit | null> {
  const [first] = together;
  const ownEnd = ends.get(first?.instance ?? "");
  if (!first || !ownEnd) return null;
  const loop = shared === null ? await readCrashLoop(first, around) : null;
  const end = loop ? mostLikelyExit(mostTelling(loop)) : ownEnd;
  // The next round of a loop doesn't serve requests.
  const lasting = loop ? around.lives.filter((life) => !isShortLived(life, around.times)) : around.lives;
  const exit: ProcessExit = {
    kind: shared ?? end.kind,
    confidence: shared === null ? end.likelihood : sharedConfidence[shared],
    exitAfterMs: around.times.exitAfterMs,
    noticedAt: new Date(around.listening.now).toISOString(),
    othersReporting: othersReporting(together, lasting, around.listening, around.times),
    processes: loop ?? together.flatMap(({ instance }) => last.get(instance)?.process ?? []),
  };
  const skip = shared === null ? await reasonToSkip(first, exit, around) : null;
  return { exit, lives: together, skip };
}
