import { z } from "zod";
import type { GitHubApp } from "../applications.ts";
import { created, pageSchema } from "../code-hosts/created.ts";
import type { BranchCommit, DraftPullRequest, HostedBranch, PullRequests } from "../code-hosts/pull-requests.ts";
import { orAbsent } from "../http/or-absent.ts";
import { VendorFailure } from "../http/vendor-failure.ts";
import { vendorLimits } from "../http/vendor-limits.ts";
import type { OutboundContext } from "../outbound-context.ts";
import { oneLine } from "../text/one-line.ts";
import { type GitHubAccess, type GitHubApi, openGitHubApi } from "./api.ts";
import { pathOfRepository } from "./requests.ts";

/** https://docs.github.com/en/rest/repos/repos#get-a-repository */
const repositorySchema = z.object({ default_branch: z.string() });
/** https://docs.github.com/en/rest/git/refs#get-a-reference */
const refSchema = z.object({ object: z.object({ sha: z.string() }) });
/** https://docs.github.com/en/rest/git/commits#get-a-commit-object */
const commitSchema = z.object({ sha: z.string(), tree: z.object({ sha: z.string() }) });
/** https://docs.github.com/en/rest/git/trees#get-a-tree */
const treeSchema = z.object({ tree: z.array(z.object({ path: z.string(), mode: z.string() })) });
/** https://docs.github.com/en/rest/git/trees#create-a-tree */
const createdSchema = z.object({ sha: z.string() });
/** https://docs.github.com/en/rest/pulls/pulls#create-a-pull-request */
const pullSchema = z.object({ number: z.int(), html_url: pageSchema });
/** https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api#validation-failed */
const refusedSchema = z
  .object({ message: z.string(), errors: z.array(z.object({ message: z.string().optional() })).optional() })
  .transform(({ message, errors = [] }) => refusal([message, ...errors.flatMap((one) => one.message ?? [])]));

/** Git's modes of files whose content is their own; the other ones are of links and submodules. */
const fileModes: readonly string[] = ["100644", "100755"];
const unprocessable = 422;
const reasonLengthMax = 300;

const remedy =
  "give the GitHub App the repository permissions Contents and Pull requests, each to read and write, and have the account accept them";
const forbidden = { what: "doesn't let the app write to this repository", advice: remedy };

function accessTo(repository: string): GitHubAccess {
  return {
    permissions: { contents: "write", metadata: "read", pull_requests: "write" },
    repositoryNames: repository.split("/").slice(1),
    lacking: `the installation of the GitHub App may not write to ${repository}: ${remedy}`,
    // GitHub also answers 404 where a permission is missing.
    refusals: { forbidden, "not-found": forbidden },
    answeredStatuses: [unprocessable],
  };
}

/** Opens the pull requests of one repository. Its tokens are for that repository alone. */
export function gitHubPullRequests(
  app: GitHubApp,
  { installationId, repository }: { readonly installationId: number; readonly repository: string },
  context: OutboundContext,
): PullRequests {
  const api = openGitHubApi(app, installationId, context, accessTo(repository));
  const root = pathOfRepository(repository);
  return {
    async defaultBranch(signal) {
      const { default_branch: name } = (await api.json({ path: root, schema: repositorySchema }, signal)).body;
      return branchAt(api, root, name, signal);
    },
    branch: (name, signal) => orAbsent(branchAt(api, root, name, signal)),
    async find(branch, signal) {
      const query = { head: `${repository.split("/")[0]}:${branch}`, state: "all", per_page: 1 };
      const { body } = await api.json({ path: `${root}/pulls`, query, schema: z.array(pullSchema) }, signal);
      return body[0] ? pullRequestOf(body[0]) : null;
    },
    commit: (commit, signal) => commitOnBranch(api, root, commit, signal),
    async open({ branch: head, ...draft }: DraftPullRequest, signal) {
      const json = { head, ...draft, draft: true };
      return pullRequestOf(
        await created(api, { path: `${root}/pulls`, json, schema: pullSchema }, refusedSchema, signal),
      );
    },
    close: () => api.close(),
  };
}

async function branchAt(api: GitHubApi, root: string, name: string, signal: AbortSignal): Promise<HostedBranch> {
  const path = `${root}/git/ref/heads/${name.split("/").map(encodeURIComponent).join("/")}`;
  return { name, commitId: (await api.json({ path, schema: refSchema }, signal)).body.object.sha };
}

/** Creates the branch last, so that it never has less than the whole commit. */
async function commitOnBranch(
  api: GitHubApi,
  root: string,
  { branch, parent, message, files }: BranchCommit,
  signal: AbortSignal,
): Promise<void> {
  const base = (await api.json({ path: `${root}/git/commits/${parent}`, schema: commitSchema }, signal)).body.tree.sha;
  const modes = await modesIn(api, `${root}/git/trees/${base}`, signal);
  const tree = files.map(({ path, text: content }) => {
    const mode = modes.get(path) ?? "";
    if (!fileModes.includes(mode)) throw new VendorFailure("not-found", `${path} isn't a plain file at GitHub`);
    return { path, mode, type: "blob", content };
  });
  const create = <Body>(what: string, json: object, schema: z.ZodType<Body>): Promise<Body> =>
    created(api, { path: `${root}/git/${what}`, json, schema }, refusedSchema, signal);
  const { sha: changed } = await create("trees", { base_tree: base, tree }, createdSchema);
  const { sha } = await create("commits", { message, tree: changed, parents: [parent] }, createdSchema);
  await create("refs", { ref: `refs/heads/${branch}`, sha }, refSchema);
}

/** Returns the mode of each file by its path: an executable one stays so. */
async function modesIn(api: GitHubApi, path: string, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const asked = { path, query: { recursive: 1 }, bytesMax: vendorLimits.listBytesMax, schema: treeSchema };
  const { tree } = (await api.json(asked, signal)).body;
  return new Map(tree.map(({ path: file, mode }) => [file, mode]));
}

function refusal(reasons: readonly string[]): VendorFailure {
  return new VendorFailure("forbidden", `GitHub refused (422): ${oneLine(reasons.join(". "), reasonLengthMax)}`);
}

function pullRequestOf({ number, html_url: url }: z.infer<typeof pullSchema>) {
  return { number, url };
}
