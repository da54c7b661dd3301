import type { ReleaseLife } from "@whence/storage";

/** Two heartbeats, one minute apart, and the time for one to arrive. */
export const exitAfterMs = 150_000;

/** A release whose processes started again after those of another one, and when they did. */
interface ReturnedRelease {
  readonly life: ReleaseLife;
  /** RFC 3339. */
  readonly at: string;
}

interface Start {
  readonly at: number;
  readonly life: ReleaseLife;
}

/**
 * Returns the earlier release that a service went back to: its processes started last, after those of another release,
 * and no others still run. Empty if there is none, if several releases run side by side, and if two alternate, as short
 * jobs of several versions do.
 */
export function returnOf(lives: readonly ReleaseLife[]): readonly ReturnedRelease[] {
  const starts = lives
    .flatMap((life) => life.starts.map((at): Start => ({ at: Date.parse(at), life })))
    .toSorted((left, right) => left.at - right.at);
  const firsts = starts.filter(({ life }, index) => starts[index - 1]?.life !== life);
  const last = firsts.at(-1);
  const replaced = firsts.at(-2);
  if (!last || !replaced) return [];
  const had = (life: ReleaseLife) => firsts.filter((one) => one.life === life).length;
  if (had(last.life) !== 2 || had(replaced.life) !== 1) return [];
  const isAlone = lives.every((life) => life === last.life || hasStopped(life, last.life));
  return isAlone ? [{ life: last.life, at: new Date(last.at).toISOString() }] : [];
}

function hasStopped({ runningAt }: ReleaseLife, { lastAt }: ReleaseLife): boolean {
  return runningAt === null || Date.parse(lastAt) - Date.parse(runningAt) >= exitAfterMs;
}
