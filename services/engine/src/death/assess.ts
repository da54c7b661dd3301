import type { DeathKind, SilencedProcess, VitalReading } from "@whence/protocol";

/** What one process's end may have been. */
export type EndKind = Extract<DeathKind, "out-of-memory" | "killed" | "hung">;

/** One possible end, and the readings that speak for it. */
export interface PossibleEnd {
  readonly kind: EndKind;
  /** 0 to 1. The three do not add up to 1: what is left is what heartbeats cannot tell. */
  readonly likelihood: number;
  /** What speaks for it and against it, a sentence each. */
  readonly says: readonly string[];
}

/** Of the heap's limit: V8 spends its time on collecting garbage from about here, and aborts at the limit. */
const heapFull = 0.85;
const heapFilling = 0.7;
/** Below it a heap that grew is one that has warmed up. */
const heapHalf = 0.5;
/** Of what the container may use: the kernel kills at all of it. */
const containerFull = 0.85;
/** The last reading over the first: below it is the ordinary saw-tooth. */
const climbFactor = 1.3;
const climbReadingsMin = 2;
/** Where nobody said what the limit is. */
const climbWithoutLimit = 2;
/** The 99th percentile of the event loop's delay: a second of it is no work that is spread over ticks. */
const loopStallingMs = 1_000;

/** Likelihoods by what was read: judged, not fitted, since deaths of known cause are too few. */
const likelihoods = { stated: 0.95, strong: 0.8, medium: 0.6, weak: 0.4, slight: 0.2, none: 0.05 } as const;

/** The three ends that heartbeats can tell apart, the likeliest first. */
export function assessEnd(process: Pick<SilencedProcess, "readings">): readonly PossibleEnd[] {
  const { readings } = process;
  const hung = assessHung(readings);
  const memory = assessMemory(readings);
  const killed = assessKilled(readings, memory, hung);
  return [memory, hung, killed].toSorted((left, right) => right.likelihood - left.likelihood);
}

const unknownEnd: PossibleEnd = { kind: "killed", likelihood: 0.2, says: [] };

/** The first of them; of a process of which nothing was read, that it was killed. */
export function likeliestEnd(process: Pick<SilencedProcess, "readings"> | undefined): PossibleEnd {
  return (process && assessEnd(process)[0]) ?? unknownEnd;
}

/** Of a memory or an event loop that was in trouble for sure. */
const explainsFrom = 0.6;

/** Whether the readings by themselves say why the process ended. */
export function explains({ kind, likelihood }: PossibleEnd): boolean {
  return kind !== "killed" && likelihood >= explainsFrom;
}

/** Of the rounds of a loop, at least one: the newest whose readings say why it ended, or else the newest. */
export function mostTelling<Round extends Pick<SilencedProcess, "readings">>(
  rounds: readonly Round[],
): Round | undefined {
  return rounds.findLast((round) => explains(likeliestEnd(round))) ?? rounds.at(-1);
}

function assessHung(readings: readonly VitalReading[]): PossibleEnd {
  const last = readings.at(-1);
  const kind = "hung";
  if (last?.mainThreadBlockedMs != null) {
    const says = `its watching thread reported at ${last.at} that the main thread had not turned for ${secondsText(last.mainThreadBlockedMs)}`;
    return { kind, likelihood: likelihoods.stated, says: [says] };
  }
  const delay = last?.eventLoopDelayMs ?? null;
  if (delay === null)
    return { kind, likelihood: likelihoods.slight, says: ["no heartbeat says how the event loop was"] };
  if (delay >= loopStallingMs) {
    return {
      kind,
      likelihood: likelihoods.weak,
      says: [`the event loop was ${Math.round(delay)} ms late at the last heartbeat`],
    };
  }
  const says = `the event loop was ${Math.round(delay)} ms late at the last heartbeat, and no blocked main thread was reported`;
  return { kind, likelihood: likelihoods.none, says: [says] };
}

function assessMemory(readings: readonly VitalReading[]): PossibleEnd {
  const last = readings.at(-1);
  const kind = "out-of-memory";
  if (!last) return { kind, likelihood: likelihoods.slight, says: ["no heartbeat says how much memory it had"] };
  const heap = share(last.heapUsedBytes, last.heapLimitBytes);
  const container = share(last.rssBytes, last.memoryLimitBytes);
  const climb = climbOf(readings);
  const says = [
    ...(heap === null
      ? []
      : [
          `the heap held ${percent(heap)} of its limit (${bytesText(last.heapUsedBytes)} of ${bytesText(last.heapLimitBytes)}) at ${last.at}`,
        ]),
    ...(container === null ? [] : [`the process held ${percent(container)} of what its container may use`]),
    ...(climb === null ? [] : [climb.says]),
  ];
  const isClimbing = climb !== null && climb.factor >= climbFactor;
  const isFull = (heap ?? 0) >= heapFull || (container ?? 0) >= containerFull;
  if (isFull) return { kind, likelihood: likelihoods.strong, says };
  if (isClimbing && ((heap ?? 0) >= heapFilling || (container ?? 0) >= heapFilling)) {
    return { kind, likelihood: likelihoods.medium, says };
  }
  const isHalfFull = (heap ?? 0) >= heapHalf || (container ?? 0) >= heapHalf;
  const hasNoLimit = heap === null && container === null;
  if ((isClimbing && isHalfFull) || (hasNoLimit && (climb?.factor ?? 0) >= climbWithoutLimit)) {
    return { kind, likelihood: likelihoods.weak, says };
  }
  return {
    kind,
    likelihood: likelihoods.none,
    says: says.length > 0 ? says : ["no heartbeat says how much memory it had"],
  };
}

function assessKilled(readings: readonly VitalReading[], memory: PossibleEnd, hung: PossibleEnd): PossibleEnd {
  const kind = "killed";
  if (readings.length === 0)
    return { kind, likelihood: likelihoods.weak, says: ["nothing was read of the process before its end"] };
  const other = Math.max(memory.likelihood, hung.likelihood);
  if (other >= likelihoods.medium) {
    return {
      kind,
      likelihood: likelihoods.slight,
      says: ["a signal from outside ends a process in any state, this one too"],
    };
  }
  const says =
    "neither its memory nor its event loop was in trouble; such a process ends without a word by a signal from outside (SIGKILL, or SIGTERM without a handler), or with the machine";
  return { kind, likelihood: other >= likelihoods.weak ? likelihoods.weak : likelihoods.medium, says: [says] };
}

/** How memory went over the readings: of the heap, or of the whole process where that is all there is. */
export function climbOf(readings: readonly VitalReading[]): { factor: number; says: string } | null {
  for (const [column, name] of [
    ["heapUsedBytes", "the heap"],
    ["rssBytes", "the process"],
  ] as const) {
    const known = readings.filter((reading) => reading[column] !== null);
    const [first, last] = [known[0], known.at(-1)];
    if (!first || !last || known.length < climbReadingsMin) continue;
    const factor = (last[column] ?? 0) / Math.max(first[column] ?? 0, 1);
    const went = factor >= climbFactor ? "climbed" : "went";
    return {
      factor,
      says: `${name} ${went} from ${bytesText(first[column])} to ${bytesText(last[column])} between ${first.at} and ${last.at}`,
    };
  }
  return null;
}

function share(used: number | null, limit: number | null): number | null {
  return used === null || limit === null || limit <= 0 ? null : used / limit;
}

function percent(value: number): string {
  return `${Math.round(value * 100)} %`;
}

/** Such as `1.4 GiB`; `?` when nobody said. */
export function bytesText(bytes: number | null): string {
  if (bytes === null) return "?";
  const mebibytes = bytes / 1_048_576;
  return mebibytes >= 1_024 ? `${(mebibytes / 1_024).toFixed(1)} GiB` : `${Math.round(mebibytes)} MiB`;
}

/** Such as `42 s`. */
export function secondsText(ms: number): string {
  return `${Math.round(ms / 1_000)} s`;
}
