import type { OutsideFinding } from "@whence/protocol";
import { z } from "zod";
import type { FailureQuestion } from "../integrations/integration.ts";
import { isWithin } from "../integrations/is-within.ts";
import type { GitHubApi } from "./api.ts";

const userSchema = z.object({ login: z.string() }).nullable();
/** https://docs.github.com/en/rest/deployments/deployments#list-deployments: the latest first. */
const deploymentsSchema = z.array(
  z.object({
    id: z.int(),
    sha: z.string(),
    ref: z.string(),
    environment: z.string(),
    created_at: z.string(),
    creator: userSchema,
  }),
);
/** https://docs.github.com/en/rest/deployments/statuses#list-deployment-statuses: the latest first. */
const statusesSchema = z.array(z.object({ state: z.string() }));
/** https://docs.github.com/en/rest/releases/releases#list-releases */
const releasesSchema = z.array(
  z.object({
    tag_name: z.string(),
    name: z.string().nullable(),
    html_url: z.string(),
    draft: z.boolean(),
    published_at: z.string().nullable(),
    author: userSchema,
  }),
);

const perPage = 30;
/** Maximum deployments whose outcome is requested, one request each. */
const statusesMax = 10;
const failedStates: readonly string[] = ["error", "failure"];
const shortIdLength = 7;

type Deployment = z.infer<typeof deploymentsSchema>[number];

/** Returns deployments and releases in the span, the latest first. */
export async function gitHubChanges(
  api: GitHubApi,
  repository: string,
  about: FailureQuestion,
  signal: AbortSignal,
): Promise<readonly OutsideFinding[]> {
  const base = `/repos/${repository.split("/").map(encodeURIComponent).join("/")}`;
  const query = { per_page: perPage };
  const [deployments, releases] = await Promise.all([
    api.json({ path: `${base}/deployments`, query, schema: deploymentsSchema }, signal),
    api.json({ path: `${base}/releases`, query, schema: releasesSchema }, signal),
  ]);
  const near = deployments.body.filter(({ created_at: at }) => isWithin(at, about)).slice(0, statusesMax);
  const deployed = near.map(async (deployment) => {
    const path = `${base}/deployments/${deployment.id}/statuses`;
    const { body } = await api.json({ path, query: { per_page: 1 }, schema: statusesSchema }, signal);
    return deploymentFinding(repository, deployment, body[0]?.state ?? null);
  });
  const released = releases.body.flatMap((release) => releaseFinding(repository, release, about) ?? []);
  const changes = [...(await Promise.all(deployed)), ...released];
  return changes.sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
}

type Change = OutsideFinding & { readonly kind: "change-event" };

/** Null for a draft, and for a release outside the span. */
function releaseFinding(
  repository: string,
  { tag_name: tag, name, html_url: url, draft, published_at: at, author }: z.infer<typeof releasesSchema>[number],
  about: FailureQuestion,
): Change | null {
  if (draft || at === null || !isWithin(at, about)) return null;
  return {
    kind: "change-event",
    what: "release",
    vendor: "GitHub",
    target: repository,
    at,
    failed: null,
    url,
    title: `Release ${name === null || name === "" ? tag : name}`,
    by: author?.login ?? null,
  };
}

function deploymentFinding(repository: string, deployment: Deployment, state: string | null): Change {
  const { ref, sha, environment, created_at: at, creator } = deployment;
  const commit = sha.slice(0, shortIdLength);
  return {
    kind: "change-event",
    what: "deployment",
    vendor: "GitHub",
    target: repository,
    at,
    by: creator?.login ?? null,
    title: `Deployment of ${ref === sha ? commit : `${ref} (${commit})`} to ${environment}`,
    failed: state === null ? null : failedStates.includes(state),
    url: `https://github.com/${repository}/deployments/${encodeURIComponent(environment)}`,
  };
}
