import { type ReportedRelease, releaseNames } from "@whence/protocol";
import type { ReleaseLife, ReleaseRepository, ScopedEvents } from "@whence/storage";

/** A release that telemetry has seen, or that was reported as live. */
export interface KnownRelease extends ReleaseLife {
  /** Null when it wasn't reported. */
  readonly reported: ReportedRelease | null;
  /** Whether a process of it has sent telemetry. */
  readonly isSeen: boolean;
}

/** The reports of a scope's releases. */
export type ReportedReleases = Pick<ReleaseRepository, "list">;

const releasesMax = 200;

/**
 * The releases of an environment that ran since then, and those that were reported as live there. One that is both began
 * with whichever came first.
 */
export async function knownReleases(
  events: ScopedEvents,
  reported: ReportedReleases | null,
  { env, since }: { readonly env: string; readonly since: string },
): Promise<readonly KnownRelease[]> {
  const [lives, reports] = await Promise.all([
    events.releases({ env, since, limit: releasesMax }),
    reported ? reported.list(env) : [],
  ]);
  const seen = lives.map((life) => withReport(life, reports));
  const matched = new Set(seen.map((one) => one.reported));
  const unseen = reports.filter((report) => !matched.has(report));
  return [...seen, ...unseen.map(unseenRelease)];
}

function withReport(life: ReleaseLife, reports: readonly ReportedRelease[]): KnownRelease {
  const names = releaseNames(life.release);
  const reported = reports.find(({ service, release }) => service === life.service && names.includes(release)) ?? null;
  const isEarlier = reported !== null && Date.parse(reported.live_at) < Date.parse(life.firstAt);
  return { ...life, firstAt: isEarlier ? reported.live_at : life.firstAt, reported, isSeen: true };
}

function unseenRelease(reported: ReportedRelease): KnownRelease {
  const { service, release, live_at: at } = reported;
  return { service, release, firstAt: at, isStartKnown: false, lastAt: at, lives: 0, reported, isSeen: false };
}
