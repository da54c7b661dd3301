import { type ReportedRelease, releaseNames } from "@whence/protocol";
import type { ReleaseLife, ReleaseRepository, ScopedEvents } from "@whence/storage";
import { returnOf } from "./returned-release.ts";

/** A release that telemetry has seen, or that was reported as live. */
export interface KnownRelease extends ReleaseLife {
  /** Null when it wasn't reported. */
  readonly reported: ReportedRelease | null;
  /** Whether a process of it has sent telemetry. */
  readonly isSeen: boolean;
  /** Whether it was live before another release, and is live again since `firstAt`. */
  readonly isBack: boolean;
}

/** The reports of a scope's releases. */
export type ReportedReleases = Pick<ReleaseRepository, "list">;

const releasesMax = 200;

/**
 * Returns the releases of an environment, or of one service in it, that have run since a time, and those that were reported as live there. One
 * that is both began at the earlier of the two. A release that was replaced and then came back is listed twice: from
 * its start, and from its return.
 */
export async function knownReleases(
  events: ScopedEvents,
  reported: ReportedReleases | null,
  { env, since, service }: { readonly env: string; readonly since: string; readonly service?: string },
): Promise<readonly KnownRelease[]> {
  const [lives, all] = await Promise.all([
    events.releases({ env, since, limit: releasesMax, service }),
    reported ? reported.list(env) : [],
  ]);
  const reports = service === undefined ? all : all.filter((report) => report.service === service);
  const services = new Set([...lives, ...reports].map(({ service }) => service));
  const livesOf = Map.groupBy(lives, ({ service }) => service);
  const reportsOf = Map.groupBy(reports, ({ service }) => service);
  return [...services].flatMap((name) => runsOf(livesOf.get(name) ?? [], reportsOf.get(name) ?? []));
}

/** The beginning of a release: a process of it started, or it was reported. */
interface Beginning {
  readonly at: string;
  readonly life: ReleaseLife;
  readonly report: ReportedRelease | null;
}

/** Returns the releases of one service, each from its beginning to that of the next. */
function runsOf(lives: readonly ReleaseLife[], reports: readonly ReportedRelease[]): KnownRelease[] {
  const beginnings: Beginning[] = [
    ...lives.map((life) => ({ at: life.firstAt, life, report: null })),
    ...returnOf(lives).map(({ at, life }) => ({ at, life, report: null })),
    ...reports.flatMap((report) => reportedBeginnings(report, lives)),
  ];
  const ordered = beginnings.toSorted((left, right) => Date.parse(left.at) - Date.parse(right.at));
  return ordered.reduce<KnownRelease[]>(withBeginning, []);
}

/**
 * Returns when it was first reported and, because another release may have started since, last. A release that runs
 * under another name than the reported one has no starts to compare with.
 */
function reportedBeginnings(report: ReportedRelease, lives: readonly ReleaseLife[]): Beginning[] {
  const life = lives.find(({ release }) => releaseNames(release).includes(report.release));
  if (!life) return [{ at: report.live_at, life: unseenLife(report), report }];
  const again = { ...report, live_at: report.reported_at };
  return [report, again].map((one) => ({ at: one.live_at, life, report: one }));
}

function unseenLife({ service, release, live_at: at }: ReportedRelease): ReleaseLife {
  return { service, release, firstAt: at, isStartKnown: false, lastAt: at, lives: 0, starts: [], runningAt: null };
}

function withBeginning(runs: readonly KnownRelease[], { at, life, report }: Beginning): KnownRelease[] {
  const last = runs.at(-1);
  if (last?.release === life.release) return [...runs.slice(0, -1), { ...last, reported: last.reported ?? report }];
  const isBack = runs.some(({ release }) => release === life.release);
  return [...runs, { ...life, firstAt: at, reported: report, isSeen: life.lives > 0, isBack }];
}
