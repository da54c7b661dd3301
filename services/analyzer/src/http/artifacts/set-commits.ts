import { limits, sourceCommitSchema } from "@whence/protocol";
import type { ReleaseCommit } from "@whence/storage";
import { z } from "zod";
import { changeLimits } from "../../changes/change-limits.ts";

/** Commits of one request. The newest are kept. */
const commitsMax = 10_000;

/** A commit as Sentry's command line reads it from a checkout. Its author's email address isn't kept. */
const setCommitSchema = z
  .object({
    id: sourceCommitSchema.shape.id,
    author_name: z.string().nullish(),
    message: z.string().nullish(),
    timestamp: z.iso.datetime({ offset: true }),
    patch_set: z.array(z.object({ path: z.string() })).nullish(),
  })
  .transform(({ id, author_name: author, message, timestamp, patch_set: patches }): ReleaseCommit => {
    const [subject = ""] = (message ?? "").trim().split("\n", 1);
    return {
      id,
      author: (author || "unknown").slice(0, limits.serviceLengthMax).toWellFormed(),
      subject: subject.slice(0, limits.fileNameLengthMax).toWellFormed(),
      at: new Date(timestamp).toISOString(),
      paths: knownPaths(patches?.map(({ path }) => path)),
    };
  });

function knownPaths(paths: readonly string[] | undefined): readonly string[] | null {
  return paths?.every(({ length }) => length <= limits.fileNameLengthMax) ? paths : null;
}

/** The commits of a release, newest first. Those beyond the limits, or the paths of all, are left out. */
export const setCommitsSchema = z.array(setCommitSchema).min(1).max(commitsMax).transform(keptCommits);

function keptCommits(commits: readonly ReleaseCommit[]): readonly ReleaseCommit[] {
  const { commitsMax: keptMax, setPathsMax } = changeLimits;
  const paths = commits.flatMap((commit) => commit.paths ?? []);
  // With a path missing, another commit may have changed the same file.
  const isWhole =
    commits.length <= keptMax && paths.length <= setPathsMax && commits.every((commit) => commit.paths !== null);
  return commits.slice(0, keptMax).map((commit) => (isWhole ? commit : { ...commit, paths: null }));
}

/** The services of a release. Without one, what is said of the release belongs to nothing. */
export const ofServicesSchema = z.object({
  projects: z
    .array(z.string())
    .refine(
      (services) => services.length > 0,
      "the release has no services: name them, with --project or SENTRY_PROJECT of sentry-cli",
    ),
});
