import type { OutsideFinding } from "@whence/protocol";
import { z } from "zod";
import { readPages } from "../http/read-pages.ts";
import type { VendorHttp } from "../http/vendor-http.ts";
import type { FailureQuestion } from "../integrations/integration.ts";
import { isWithin } from "../integrations/is-within.ts";
import { pathOfProject } from "./api.ts";

const userSchema = z.object({ username: z.string() }).nullish();
/** https://docs.gitlab.com/api/deployments/#list-all-project-deployments */
const deploymentSchema = z.object({
  ref: z.string(),
  sha: z.string(),
  status: z.string(),
  updated_at: z.string(),
  environment: z.object({ name: z.string() }),
  user: userSchema,
});
type Deployment = z.infer<typeof deploymentSchema>;
const deploymentsSchema = z.array(deploymentSchema);
/** https://docs.gitlab.com/api/releases/#list-all-releases: the latest first. */
const releasesSchema = z.array(
  z.object({ tag_name: z.string(), name: z.string().nullable(), released_at: z.string(), author: userSchema }),
);

const perPage = 30;
const failedStatuses: readonly string[] = ["failed", "canceled"];
const shortIdLength = 7;

interface Project {
  /** The URL of the GitLab instance. */
  readonly url: string;
  readonly repository: string;
}

/** Returns deployments and releases in the span, the latest first. */
export async function gitLabChanges(
  http: VendorHttp,
  project: Project,
  about: FailureQuestion,
  signal: AbortSignal,
): Promise<readonly OutsideFinding[]> {
  const [deployed, released] = await Promise.all([
    deploymentsOf(http, project, about, signal),
    releasesOf(http, project, about, signal),
  ]);
  return [...deployed, ...released].sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
}

type Change = OutsideFinding & { readonly kind: "change-event" };

async function deploymentsOf(
  http: VendorHttp,
  { url, repository }: Project,
  about: FailureQuestion,
  signal: AbortSignal,
): Promise<readonly Change[]> {
  const path = `${pathOfProject(repository)}/deployments`;
  const span = { updated_after: about.from, updated_before: about.to, order_by: "updated_at", sort: "desc" };
  const deployments = await readPages<Deployment, number>(async (next, own) => {
    const page = next ?? 1;
    const { body } = await http.json(
      { path, query: { ...span, per_page: perPage, page }, schema: deploymentsSchema },
      own,
    );
    return { items: body, next: body.length < perPage ? null : page + 1 };
  }, signal);
  return deployments.map(({ ref, sha, status, updated_at: at, environment, user }) => {
    const title = `Deployment of ${ref} (${sha.slice(0, shortIdLength)}) to ${environment.name}`;
    const failed = failedStatuses.includes(status);
    return {
      kind: "change-event",
      what: "deployment",
      vendor: "GitLab",
      title,
      target: repository,
      at,
      failed,
      by: user?.username ?? null,
      url: `${url}/${repository}/-/environments`,
    };
  });
}

async function releasesOf(
  http: VendorHttp,
  { url, repository }: Project,
  about: FailureQuestion,
  signal: AbortSignal,
): Promise<readonly Change[]> {
  const path = `${pathOfProject(repository)}/releases`;
  const query = { order_by: "released_at", sort: "desc", per_page: perPage };
  const { body } = await http.json({ path, query, schema: releasesSchema }, signal);
  return body.flatMap(({ tag_name: tag, name, released_at: at, author }) => {
    if (!isWithin(at, about)) return [];
    const title = `Release ${name === null || name === "" ? tag : name}`;
    const page = `${url}/${repository}/-/releases/${encodeURIComponent(tag)}`;
    const change: Change = {
      kind: "change-event",
      what: "release",
      vendor: "GitLab",
      title,
      target: repository,
      at,
      failed: null,
      by: author?.username ?? null,
      url: page,
    };
    return [change];
  });
}
