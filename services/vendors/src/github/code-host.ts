import { type NamedRelease, releaseRefs, shortCommit } from "@whence/protocol";
import { z } from "zod";
import type { GitHubApp } from "../applications.ts";
import type { CodeHost, CodeHostVendor, FileAt, HostedCommit, HostedFile } from "../code-hosts/code-host.ts";
import { decodedFile } from "../code-hosts/decoded-file.ts";
import { capturedBelow } from "../code-hosts/issue-page.ts";
import { orAbsent } from "../http/or-absent.ts";
import { applicationNotConfigured } from "../http/vendor-failure.ts";
import { vendorLimits } from "../http/vendor-limits.ts";
import type { OutboundContext } from "../outbound-context.ts";
import { type GitHubApi, openGitHubApi } from "./api.ts";
import { gitHubChanges } from "./changes.ts";
import { blameGitHub, compareGitHub } from "./history.ts";
import { gitHubPullRequests } from "./pull-requests.ts";
import { pathOfRepository } from "./requests.ts";

/** https://docs.github.com/en/rest/apps/installations#list-repositories-accessible-to-the-app-installation */
const repositoriesSchema = z.object({
  total_count: z.int(),
  repositories: z.array(z.object({ full_name: z.string() })),
});
/** https://docs.github.com/en/rest/repos/repos#get-a-repository */
const repositorySchema = z.object({ full_name: z.string() });
/** https://docs.github.com/en/rest/commits/commits#list-commits */
const commitsSchema = z.array(z.object({ sha: z.string() }));
/** https://docs.github.com/en/rest/git/refs#list-matching-references */
const refsSchema = z.array(z.object({ ref: z.string(), object: z.object({ type: z.string(), sha: z.string() }) }));
/** https://docs.github.com/en/rest/git/tags#get-a-tag */
const tagSchema = z.object({ object: z.object({ sha: z.string() }) });
/** https://docs.github.com/en/rest/git/trees#get-a-tree */
const treeSchema = z.object({ tree: z.array(z.object({ path: z.string(), type: z.string() })) });
/** https://docs.github.com/en/rest/repos/contents#get-repository-content; a folder is returned as a list. */
const contentSchema = z.union([
  z.object({ type: z.string(), size: z.int(), encoding: z.string().optional(), content: z.string().optional() }),
  z.array(z.unknown()),
]);

const webUrl = "https://github.com";
const issuePage = /^([\w.-]+\/[\w.-]+)\/issues\/\d/;

const connectedSchema = z.object({ installation_id: z.coerce.number().int(), account: z.string() });

/** GitHub's repositories, as an installation of the operator's GitHub App. */
export const gitHubRepositories: CodeHostVendor = {
  kind: "github",
  vendor: "GitHub",
  open(inputs, context) {
    const { installation_id: installationId, account } = connectedSchema.parse(inputs);
    return openGitHub(appOf(context), { installationId, account }, context);
  },
  openPullRequests(inputs, repository, context) {
    const { installation_id: installationId } = connectedSchema.parse(inputs);
    return gitHubPullRequests(appOf(context), { installationId, repository }, context);
  },
  webUrl: () => webUrl,
  repositoryOfIssue: (page) => capturedBelow(webUrl, page, issuePage),
};

function appOf({ applications: { github } = {} }: OutboundContext): GitHubApp {
  if (!github) throw applicationNotConfigured();
  return github;
}

/** The identification of an installation. */
export interface GitHubInstallation {
  readonly installationId: number;
  readonly account: string;
}

/** Opens the repositories of an installation of the GitHub App. https://docs.github.com/en/rest */
export function openGitHub(
  app: GitHubApp,
  { installationId, account }: GitHubInstallation,
  context: OutboundContext,
): CodeHost {
  const api = openGitHubApi(app, installationId, context);
  return {
    vendor: "GitHub",
    async account(signal) {
      await api.json(
        { path: "/installation/repositories", query: { per_page: 1 }, schema: repositoriesSchema },
        signal,
      );
      return account;
    },
    async repositoryNamed(service, signal) {
      if (!/^[\w.-]+$/.test(service)) return null;
      const asked = { path: `/repos/${encodeURIComponent(account)}/${service}`, schema: repositorySchema };
      return (await orAbsent(api.json(asked, signal)))?.body.full_name ?? null;
    },
    findCommit: (repository, release, signal) => findCommit(api, repository, release, signal),
    commitAt: (repository, at, signal) => newestCommit(api, repository, { until: at }, signal),
    async paths(repository, commitId, signal) {
      const asked = {
        path: `${pathOfRepository(repository)}/git/trees/${commitId}`,
        query: { recursive: 1 },
        bytesMax: vendorLimits.listBytesMax,
        schema: treeSchema,
      };
      const { tree } = (await api.json(asked, signal)).body;
      const files = tree.filter(({ type }) => type === "blob").map(({ path }) => path);
      return files.slice(0, vendorLimits.repositoryPathsMax);
    },
    read: (at, bytesMax, signal) => readFile(api, at, bytesMax, signal),
    compare: (repository, from, to, signal) => compareGitHub(api, repository, { from, to }, signal),
    blame: (at, lines, signal) => blameGitHub(api, at, lines, signal),
    changes: (repository, about, signal) => gitHubChanges(api, repository, about, signal),
    close: () => api.close(),
  };
}

async function findCommit(
  api: GitHubApi,
  repository: string,
  release: NamedRelease,
  signal: AbortSignal,
): Promise<HostedCommit | null> {
  const { commits, tags } = releaseRefs(release);
  for (const commit of commits) {
    const found = await newestCommit(api, repository, { sha: commit }, signal);
    if (found?.id.startsWith(commit) === true) return { ...found, name: shortCommit(commit) };
  }
  for (const name of tags) {
    const path = `${pathOfRepository(repository)}/git/matching-refs/tags/${encodeURIComponent(name)}`;
    const { body } = await api.json({ path, schema: refsSchema }, signal);
    const found = body.find(({ ref }) => ref === `refs/tags/${name}`);
    if (found) return { name, id: await commitOfTag(api, repository, found.object, signal) };
  }
  return null;
}

/** Of the default branch unless a `sha` is given. */
async function newestCommit(
  api: GitHubApi,
  repository: string,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<HostedCommit | null> {
  const path = `${pathOfRepository(repository)}/commits`;
  const found = await orAbsent(api.json({ path, query: { ...query, per_page: 1 }, schema: commitsSchema }, signal));
  const id = found?.body[0]?.sha;
  return id === undefined ? null : { name: shortCommit(id), id };
}

/** An annotated tag is an object of its own. */
async function commitOfTag(
  api: GitHubApi,
  repository: string,
  { type, sha }: { readonly type: string; readonly sha: string },
  signal: AbortSignal,
): Promise<string> {
  if (type !== "tag") return sha;
  const asked = { path: `${pathOfRepository(repository)}/git/tags/${sha}`, schema: tagSchema };
  return (await api.json(asked, signal)).body.object.sha;
}

async function readFile(
  api: GitHubApi,
  { repository, commit, path }: FileAt,
  bytesMax: number,
  signal: AbortSignal,
): Promise<HostedFile> {
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  const asked = {
    path: `${pathOfRepository(repository)}/contents/${encoded}`,
    query: { ref: commit.id },
    bytesMax: vendorLimits.listBytesMax,
    schema: contentSchema,
  };
  const body = (await orAbsent(api.json(asked, signal)))?.body;
  if (body === undefined || Array.isArray(body) || body.type !== "file") return { outcome: "absent" };
  // Above one megabyte, GitHub leaves the content out.
  if (body.size > bytesMax || body.encoding !== "base64") return { outcome: "too-large" };
  return decodedFile(body.content ?? "", bytesMax, `GitHub, ${commit.name}`);
}
