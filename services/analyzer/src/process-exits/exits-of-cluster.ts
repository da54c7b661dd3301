import { explains, mostLikelyEnd, mostTelling, type PossibleEnd } from "@whence/engine";
import type { ProcessExit, ProcessExitKind } from "@whence/protocol";
import type { ProcessLife, ScopedEvents } from "@whence/storage";
import { isShortLived } from "./crash-loop.ts";
import { type LastHeartbeat, readLastHeartbeat } from "./last-heartbeat.ts";
import {
  type Listening,
  lastSeen,
  othersReporting,
  patienceWhenSuspicious,
  type SilenceTimes,
  type SilentShape,
  shapesOf,
} from "./missing-heartbeats.ts";
import { readCrashLoop } from "./read-crash-loop.ts";
import { reasonToSkip, type SkipReason } from "./reason-to-skip.ts";

/** Processes of one cluster that are read: more than a report names. */
const processesReadMax = 50;

const sharedConfidence: Readonly<Record<Extract<ProcessExitKind, "host-lost" | "everything-silent">, number>> = {
  "host-lost": 0.7,
  "everything-silent": 0.6,
};

/** Processes that ended for what looks like one reason, and why that opens nothing; null when it does. */
export interface NoticedExit {
  readonly death: ProcessExit;
  readonly lives: readonly ProcessLife[];
  readonly skip: SkipReason | null;
}

/** What a cluster is judged by. */
export interface ClusterSurroundings {
  readonly events: ScopedEvents;
  /** All processes of the scope that sent telemetry recently. */
  readonly lives: readonly ProcessLife[];
  readonly listening: Listening;
  readonly times: SilenceTimes;
  readonly ownHost: string;
}

/** How processes that went silent together ended. Those that `reported` their exit are known already. */
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
  const ends = new Map(unreported.map(({ instance }) => [instance, mostLikelyEnd(last.get(instance)?.process)]));
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

/** Whether it is time to decide: later while the problem may be on our side. */
function isDue({ shared, lives: [first] }: SilentShape, { listening, times }: ClusterSurroundings): boolean {
  const patience = shared === "everything-silent" ? patienceWhenSuspicious : listening.patience;
  return first !== undefined && listening.now - lastSeen(first) >= times.silentAfterMs * patience;
}

async function exitOf(
  { shared, lives: silent }: SilentShape,
  { last, ends }: { last: ReadonlyMap<string, LastHeartbeat>; ends: ReadonlyMap<string, PossibleEnd> },
  around: ClusterSurroundings,
): Promise<NoticedExit | null> {
  const [first] = silent;
  const ownEnd = ends.get(first?.instance ?? "");
  if (!first || !ownEnd) return null;
  const loop = shared === null ? await readCrashLoop(first, around) : null;
  const end = loop ? mostLikelyEnd(mostTelling(loop)) : ownEnd;
  // The next round of a loop doesn't serve requests.
  const lasting = loop ? around.lives.filter((life) => !isShortLived(life, around.times)) : around.lives;
  const death: ProcessExit = {
    kind: shared ?? end.kind,
    confidence: shared === null ? end.likelihood : sharedConfidence[shared],
    silentAfterMs: around.times.silentAfterMs,
    noticedAt: new Date(around.listening.now).toISOString(),
    othersReporting: othersReporting(silent, lasting, around.listening, around.times),
    processes: loop ?? silent.flatMap(({ instance }) => last.get(instance)?.process ?? []),
  };
  const skip = shared === null ? await reasonToSkip(first, death, around) : null;
  return { death, lives: silent, skip };
}
