import type { OutsideFinding } from "@whence/protocol";
import { z } from "zod";
import type { VendorHttp } from "../http/vendor-http.ts";
import { answeredParts } from "../integrations/answered-parts.ts";
import type { FailureQuestion } from "../integrations/integration.ts";

const vendor = "Sentry";

const releaseSchema = z.object({
  version: z.string(),
  shortVersion: z.string().nullish(),
  dateCreated: z.string(),
  dateReleased: z.string().nullish(),
});

/** https://docs.sentry.io/api/events/retrieve-an-issue/ */
const issueSchema = z.object({
  id: z.string(),
  shortId: z.string(),
  title: z.string(),
  permalink: z.string().nullish(),
  project: z.object({ slug: z.string() }),
  count: z.coerce.number(),
  firstSeen: z.string().nullish(),
  firstRelease: releaseSchema.nullish(),
  tags: z.array(z.object({ key: z.string() })).default([]),
});
type Issue = z.infer<typeof issueSchema>;

/** https://docs.sentry.io/api/events/retrieve-tag-details/ */
const tagSchema = z.object({
  totalValues: z.number(),
  topValues: z.array(z.object({ value: z.string().nullish(), count: z.number() })).default([]),
});

/** https://docs.sentry.io/api/releases/list-an-organizations-release-commits/ */
const commitsSchema = z.array(
  z.object({
    id: z.string(),
    message: z.string().nullish(),
    author: z.object({ name: z.string().nullish(), email: z.string().nullish() }).nullish(),
  }),
);

/** Tags that show where a failure happens. Those of users and devices are left out. */
const tellingTags: readonly string[] = ["release", "environment", "server_name", "transaction", "runtime", "region"];
/** From this share of an issue's events on, a tag's value dominates. */
const dominantShare = 0.8;
const commitsMax = 3;
const shaLength = 7;

interface Asked {
  readonly path: string;
  readonly id: string;
  readonly about: FailureQuestion;
}

/** Returns an issue with what most of its events share, and the release in which it was first seen. */
export async function issueFindings(
  http: VendorHttp,
  { path, id, about }: Asked,
  signal: AbortSignal,
): Promise<readonly OutsideFinding[]> {
  const issuePath = `${path}/issues/${encodeURIComponent(id)}/`;
  const { body: issue } = await http.json({ path: issuePath, schema: issueSchema }, signal);
  const keys = issue.tags.map(({ key }) => key).filter((key) => tellingTags.includes(key));
  const [shared, released] = await Promise.all([
    Promise.allSettled(
      keys.map((key) => dominantValue(http, `${issuePath}tags/${encodeURIComponent(key)}/`, key, signal)),
    ),
    answeredParts([Promise.resolve([]), releaseFindings(http, { path, issue }, signal)], about),
  ]);
  const dominant = shared.flatMap((value) =>
    value.status === "fulfilled" && value.value !== null ? [value.value] : [],
  );
  return [recordOf(issue, dominant), ...released.flat()];
}

async function dominantValue(http: VendorHttp, path: string, key: string, signal: AbortSignal): Promise<string | null> {
  const { body } = await http.json({ path, schema: tagSchema }, signal);
  const [top] = body.topValues.toSorted((a, b) => b.count - a.count);
  const share = top ? top.count / Math.max(1, body.totalValues) : 0;
  return top?.value && share >= dominantShare ? `${Math.round(share * 100)}% ${key} ${top.value}` : null;
}

function recordOf(issue: Issue, dominant: readonly string[]): OutsideFinding {
  const { shortId, title, permalink, project, count, firstSeen, firstRelease } = issue;
  const facts = [
    `${count} ${count === 1 ? "event" : "events"}`,
    ...(firstRelease ? [`first in ${versionOf(firstRelease)}`] : []),
    ...dominant,
  ];
  return {
    kind: "record",
    what: "error-group",
    vendor,
    target: project.slug,
    title: `${shortId} ${title} (${facts.join(", ")})`,
    at: firstSeen ?? null,
    url: permalink ?? null,
  };
}

async function releaseFindings(
  http: VendorHttp,
  { path, issue }: { path: string; issue: Issue },
  signal: AbortSignal,
): Promise<readonly OutsideFinding[]> {
  const { firstRelease: release, project } = issue;
  if (!release) return [];
  const commitsPath = `${path}/releases/${encodeURIComponent(release.version)}/commits/`;
  const commits = await http.json({ path: commitsPath, schema: commitsSchema }, signal).then(
    ({ body }) => body,
    () => [],
  );
  const subjects = commits.slice(0, commitsMax).map(({ id, message }) => {
    const [subject = ""] = (message ?? "").split("\n");
    return `${id.slice(0, shaLength)} ${subject}`.trim();
  });
  const authors = new Set(commits.map(({ author }) => author?.name ?? author?.email ?? null));
  const [author = null] = authors;
  return [
    {
      kind: "change-event",
      what: "release",
      vendor,
      target: project.slug,
      failed: null,
      url: null,
      title: [versionOf(release), subjects.join("; ")].filter(Boolean).join(": "),
      at: release.dateReleased ?? release.dateCreated,
      by: authors.size === 1 ? author : null,
    },
  ];
}

function versionOf({ version, shortVersion }: z.infer<typeof releaseSchema>): string {
  return shortVersion ?? version;
}
