import { type ChainLink, type Evidence, parseJson, type Report } from "@whence/protocol";
import { z } from "zod";

const commitSchema = z.object({ id: z.string(), author: z.string(), subject: z.string() });
export type SuspectCommit = z.infer<typeof commitSchema>;

/** What evidence about a release says of it, in its excerpt. */
const releaseFactSchema = z.object({
  service: z.string(),
  release: z.string(),
  previous: z.string().min(1),
  commits: z.array(commitSchema).default([]),
});

/** The release that the causal chain begins with. */
export interface SuspectRelease {
  readonly service: string;
  readonly release: string;
  /** The release before it. */
  readonly previous: string;
  /** The last commits that it was built from beyond the one before, where they are known. */
  readonly commits: readonly SuspectCommit[];
}

/**
 * Returns the release that the causal chain begins with; null when it begins with anything else: a link also names the
 * release of a service whose code has always been so.
 */
export function suspectRelease({ chain, evidence }: Pick<Report, "chain" | "evidence">): SuspectRelease | null {
  const [origin] = chain;
  if (origin?.release === undefined) return null;
  const about = evidence.flatMap((item) => {
    const fact = releaseFact(item);
    return fact !== null && isAbout(fact, origin) ? [{ id: item.id, ...fact }] : [];
  });
  const cited = about.find(({ id }) => origin.evidence_ids.includes(id));
  if (!cited) return null;
  const { service, release, previous } = cited;
  const commits = about.find((one) => one.commits.length > 0)?.commits ?? [];
  return { service, release, previous, commits };
}

function releaseFact({ source, excerpt }: Evidence): z.infer<typeof releaseFactSchema> | null {
  if (source.kind !== "telemetry" || !excerpt.startsWith("{")) return null;
  const parsed = releaseFactSchema.safeParse(parseJson(excerpt));
  return parsed.success ? parsed.data : null;
}

function isAbout(
  { service, release }: { readonly service: string; readonly release: string },
  origin: ChainLink,
): boolean {
  return service === origin.service && release === origin.release;
}
