import { explains, likeliestEnd, mostTelling, type PossibleEnd } from "@whence/engine";
import type { ProcessExit, ProcessExitKind } from "@whence/protocol";
import type { ProcessLife, ScopedEvents } from "@whence/storage";
import { isShortLived } from "./crash-loop.ts";
import { type LastHeartbeat, readLastHeartbeat } from "./last-heartbeat.ts";
import {
  type Listening,
  lastHeard,
  othersHeard,
  patienceWhenSuspicious,
  type SilenceTimes,
  type SilentShape,
  shapesOf,
} from "./missing-heartbeats.ts";
import { readCrashLoop } from "./read-crash-loop.ts";
import { reasonToSkip, type SkipReason } from "./reason-to-skip.ts";

/** Of one cluster: more than anybody reads. */
const processesReadMax = 50;

const sharedConfidence: Readonly<Record<Extract<ProcessExitKind, "host-lost" | "everything-silent">, number>> = {
  "host-lost": 0.7,
  "everything-silent": 0.6,
};

/** Processes that ended for what looks like one reason, and why that is no news, if it is none. */
export interface NoticedExit {
  readonly death: ProcessExit;
  readonly lives: readonly ProcessLife[];
  readonly skip: SkipReason | null;
}

/** What a cluster is looked at with. */
export interface ClusterSurroundings {
  readonly events: ScopedEvents;
  /** All processes of the scope that were heard lately. */
  readonly lives: readonly ProcessLife[];
  readonly listening: Listening;
  readonly times: SilenceTimes;
  readonly ownHost: string;
}

/** What became of processes that fell silent together; those that `told` their end are nobody's news. */
export async function exitsOfCluster(
  cluster: readonly ProcessLife[],
  around: ClusterSurroundings,
): Promise<{ told: ProcessLife[]; deaths: NoticedExit[] }> {
  const words = new Map<string, LastHeartbeat>();
  for (const life of cluster.slice(0, processesReadMax)) {
    words.set(life.instance, await readLastHeartbeat(around.events, life));
  }
  const told = cluster.filter(({ instance }) => words.get(instance)?.toldItsEnd);
  const untold = cluster.filter(({ instance }) => words.has(instance) && !words.get(instance)?.toldItsEnd);
  const ends = new Map(untold.map(({ instance }) => [instance, likeliestEnd(words.get(instance)?.process)]));
  const isApart = (life: ProcessLife): boolean => {
    const end = ends.get(life.instance);
    return isShortLived(life, around.times) || (end !== undefined && explains(end));
  };
  const apart = new Set(untold.filter(isApart).map(({ instance }) => instance));
  const deaths: NoticedExit[] = [];
  for (const shape of shapesOf(untold, around.lives, { apart, ownHost: around.ownHost })) {
    const death = isDue(shape, around) ? await exitOf(shape, { words, ends }, around) : null;
    if (death) deaths.push(death);
  }
  return { told, deaths };
}

/** When it may be us who hear nothing, longer is waited. */
function isDue({ shared, lives: [first] }: SilentShape, { listening, times }: ClusterSurroundings): boolean {
  const patience = shared === "everything-silent" ? patienceWhenSuspicious : listening.patience;
  return first !== undefined && listening.now - lastHeard(first) >= times.silentAfterMs * patience;
}

async function exitOf(
  { shared, lives: silent }: SilentShape,
  { words, ends }: { words: ReadonlyMap<string, LastHeartbeat>; ends: ReadonlyMap<string, PossibleEnd> },
  around: ClusterSurroundings,
): Promise<NoticedExit | null> {
  const [first] = silent;
  const ownEnd = ends.get(first?.instance ?? "");
  if (!first || !ownEnd) return null;
  const loop = shared === null ? await readCrashLoop(first, around) : null;
  const end = loop ? likeliestEnd(mostTelling(loop)) : ownEnd;
  // The next round of a loop is nobody who serves.
  const lasting = loop ? around.lives.filter((life) => !isShortLived(life, around.times)) : around.lives;
  const death: ProcessExit = {
    kind: shared ?? end.kind,
    confidence: shared === null ? end.likelihood : sharedConfidence[shared],
    silentAfterMs: around.times.silentAfterMs,
    noticedAt: new Date(around.listening.now).toISOString(),
    othersHeard: othersHeard(silent, lasting, around.listening, around.times),
    processes: loop ?? silent.flatMap(({ instance }) => words.get(instance)?.process ?? []),
  };
  const skip = shared === null ? await reasonToSkip(first, death, around) : null;
  return { death, lives: silent, skip };
}
