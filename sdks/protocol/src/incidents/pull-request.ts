import { z } from "zod";
import { timestampSchema } from "../text.ts";

/** The draft pull request with the patch of a report, which a member opened. GitLab calls it a merge request. */
export const pullRequestSchema = z.object({
  /** The code host, as people know it: `GitHub`. */
  vendor: z.string(),
  /** The repository's path there: `acme/shop`. */
  repository: z.string(),
  number: z.int().min(1),
  /** Its page. */
  url: z.url({ protocol: /^https?$/ }),
  /** The branch with its commit. */
  branch: z.string(),
  opened_at: timestampSchema,
});
export type PullRequest = z.infer<typeof pullRequestSchema>;

/** Returns the name of a pull request: `Draft pull request acme/shop#12 on GitHub`. */
export function pullRequestName({ vendor, repository, number }: PullRequest): string {
  return vendor === "GitLab"
    ? `Draft merge request ${repository}!${number} on GitLab`
    : `Draft pull request ${repository}#${number} on ${vendor}`;
}
