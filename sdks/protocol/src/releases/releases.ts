import { z } from "zod";
import { limits } from "../limits.ts";
import { timestampSchema } from "../text.ts";

const nameSchema = z.string().trim().min(1).max(limits.serviceLengthMax);

/** The id of a commit, or its beginning. */
export const commitIdSchema = z.string().regex(/^[0-9a-f]{7,64}$/, "it must be a commit's id");

/** A report that a release went live, as `whence releases new` sends it. */
export const releaseReportSchema = z.strictObject({
  service: nameSchema,
  /** The release as the service's processes report it. */
  release: nameSchema,
  env: nameSchema.default("PROD"),
  /** The commit that the release was built from. */
  commit: commitIdSchema.nullable().default(null),
  /** A page about the release: a pipeline, a pull request, release notes. */
  url: z
    .url({ protocol: /^https?$/, error: "it must be an http or https URL" })
    .max(limits.fileNameLengthMax)
    .refine(hasNoCredentials, "it must not hold a user name or a password: everyone in the organization can read it")
    .nullable()
    .default(null),
});
export type ReleaseReport = z.infer<typeof releaseReportSchema>;

function hasNoCredentials(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const { username, password } = new URL(url);
  return username === "" && password === "";
}

/**
 * A reported release, and when it went live. A release that went live again after another one is listed once for each
 * time.
 */
export const reportedReleaseSchema = z.object({
  service: z.string(),
  release: z.string(),
  env: z.string(),
  commit: z.string().nullable(),
  url: z.string().nullable(),
  live_at: timestampSchema,
  /** When it was last reported, up to the report of another release. */
  reported_at: timestampSchema,
  /** The key or the alert source that reported it last; either may be gone. */
  reported_by: z.string(),
});
export type ReportedRelease = z.infer<typeof reportedReleaseSchema>;

/** The answer of `GET /api/releases`, the latest to go live first. */
export const releaseListSchema = z.object({ releases: z.array(reportedReleaseSchema) });
export type ReleaseList = z.infer<typeof releaseListSchema>;
