import { dayMs } from "@whence/protocol";
import type { ScopedEvents } from "@whence/storage";
import { type KnownRelease, knownReleases, type ReportedReleases } from "./known-releases.ts";

/** A release is new when none of its processes sent anything for this long before. */
const releaseMemoryMs = 7 * dayMs;

/** A release of a service that began in a span. */
export interface ServiceDeploy {
  readonly at: string;
  readonly release: string;
  /** A description of it. */
  readonly text: string;
}

/** A service in one environment, and a span; times are RFC 3339, `from` included and `to` excluded. */
export interface DeploysFilter {
  readonly service: string;
  readonly env: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Returns the service's releases that began in the span, the earliest first. The first known release isn't a deploy,
 * unless it was reported.
 */
export async function serviceDeploys(
  events: ScopedEvents,
  reported: ReportedReleases,
  { service, env, from, to }: DeploysFilter,
): Promise<readonly ServiceDeploy[]> {
  const since = new Date(Date.parse(from) - releaseMemoryMs).toISOString();
  const runs = await knownReleases(events, reported, { env, since, service });
  return runs.flatMap((run, index) => {
    const before = runs[index - 1];
    const isDeploy = (before || run.reported) && run.firstAt >= from && run.firstAt < to;
    return isDeploy ? [{ at: run.firstAt, release: run.release, text: deployText(run, before) }] : [];
  });
}

function deployText(
  { release, firstAt, isBack, isStartKnown, reported }: KnownRelease,
  before: KnownRelease | undefined,
): string {
  const isReported = reported?.live_at === firstAt;
  if (isBack && before)
    return `went back from release ${before.release} to ${release}${isReported ? ", as reported" : ""}`;
  if (isReported) return `release ${release} went live, as reported`;
  return isStartKnown ? `first start of release ${release}` : `first event of release ${release}`;
}
