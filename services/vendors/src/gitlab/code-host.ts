import { type NamedRelease, releaseRefs, shortCommit } from "@whence/protocol";
import { z } from "zod";
import type { CodeHost, CodeHostVendor, FileAt, HostedCommit, HostedFile } from "../code-hosts/code-host.ts";
import { decodedFile } from "../code-hosts/decoded-file.ts";
import { capturedBelow } from "../code-hosts/issue-page.ts";
import { orAbsent } from "../http/or-absent.ts";
import { readEveryPage } from "../http/read-pages.ts";
import { applicationNotConfigured } from "../http/vendor-failure.ts";
import type { VendorHttp } from "../http/vendor-http.ts";
import { vendorLimits } from "../http/vendor-limits.ts";
import type { OutboundContext } from "../outbound-context.ts";
import { type GitLabAccess, openGitLabApi, pathOfProject } from "./api.ts";
import { gitLabChanges } from "./changes.ts";
import { blameGitLab, compareGitLab } from "./history.ts";
import { gitLabMergeRequests } from "./merge-requests.ts";

/** https://docs.gitlab.com/api/users/#retrieve-the-current-user */
const userSchema = z.object({ username: z.string() });
/** https://docs.gitlab.com/api/projects/#list-all-projects */
const projectsSchema = z.array(z.object({ path: z.string(), path_with_namespace: z.string() }));
/** https://docs.gitlab.com/api/commits/#retrieve-a-commit */
const commitSchema = z.object({ id: z.string() });
/** https://docs.gitlab.com/api/commits/#list-all-repository-commits */
const commitsSchema = z.array(commitSchema);
/** https://docs.gitlab.com/api/tags/#retrieve-a-tag */
const tagSchema = z.object({ commit: z.object({ id: z.string() }) });
/** https://docs.gitlab.com/api/repositories/#list-all-repository-trees-in-a-project */
const treeSchema = z.array(z.object({ path: z.string(), type: z.string() }));
/** https://docs.gitlab.com/api/repository_files/#retrieve-a-file-from-a-repository */
const fileSchema = z.object({ size: z.int(), content: z.string() });

const perPage = 100;

const issuePage = /^((?:[\w.-]+\/)+[\w.-]+)\/-\/(?:issues|work_items)\/\d/;

const connectedSchema = z.object({ access_token: z.string() });

/** GitLab's projects, as the person who connected it. */
export const gitLabRepositories: CodeHostVendor = {
  kind: "gitlab",
  vendor: "GitLab",
  open: (inputs, context) => openGitLab(accessOf(inputs, context), context),
  openPullRequests: (inputs, repository, context) =>
    gitLabMergeRequests(accessOf(inputs, context), repository, context),
  webUrl,
  repositoryOfIssue: (page, context) => capturedBelow(webUrl(context), page, issuePage),
};

function webUrl({ applications }: Pick<OutboundContext, "applications">): string {
  return applications?.gitlab?.url ?? "https://gitlab.com";
}

function accessOf(inputs: Readonly<Record<string, string>>, context: OutboundContext): GitLabAccess {
  const { gitlab } = context.applications ?? {};
  if (!gitlab) throw applicationNotConfigured();
  return { url: gitlab.url, accessToken: connectedSchema.parse(inputs).access_token };
}

/** Opens the projects that the person who connected GitLab is a member of. https://docs.gitlab.com/api/rest/ */
export function openGitLab(access: GitLabAccess, context: OutboundContext): CodeHost {
  const { url } = access;
  const http = openGitLabApi(access, context);
  return {
    vendor: "GitLab",
    account: async (signal) => (await http.json({ path: "/user", schema: userSchema }, signal)).body.username,
    async repositoryNamed(service, signal) {
      const query = { membership: "true", simple: "true", search: service, per_page: perPage };
      const { body } = await http.json({ path: "/projects", query, schema: projectsSchema }, signal);
      const [only, ...others] = body.filter(({ path }) => path.toLowerCase() === service.toLowerCase());
      return only && others.length === 0 ? only.path_with_namespace : null;
    },
    findCommit: (repository, release, signal) => findCommit(http, repository, release, signal),
    async commitAt(repository, at, signal) {
      const path = `${pathOfProject(repository)}/repository/commits`;
      const found = await orAbsent(
        http.json({ path, query: { until: at, per_page: 1 }, schema: commitsSchema }, signal),
      );
      const id = found?.body[0]?.id;
      return id === undefined ? null : { name: shortCommit(id), id };
    },
    paths: (repository, commitId, signal) => pathsAt(http, repository, commitId, signal),
    read: (at, bytesMax, signal) => readFile(http, at, bytesMax, signal),
    compare: (repository, from, to, signal) => compareGitLab(http, repository, { from, to }, signal),
    blame: (at, lines, signal) => blameGitLab(http, at, lines, signal),
    changes: (repository, about, signal) => gitLabChanges(http, { url, repository }, about, signal),
    close: () => http.close(),
  };
}

async function findCommit(
  http: VendorHttp,
  repository: string,
  release: NamedRelease,
  signal: AbortSignal,
): Promise<HostedCommit | null> {
  const { commits, tags } = releaseRefs(release);
  const base = `${pathOfProject(repository)}/repository`;
  for (const commit of commits) {
    const asked = { path: `${base}/commits/${commit}`, schema: commitSchema };
    const id = (await orAbsent(http.json(asked, signal)))?.body.id;
    // A branch may have the name of a commit.
    if (id?.startsWith(commit) === true) return { name: shortCommit(commit), id };
  }
  for (const name of tags) {
    const asked = { path: `${base}/tags/${encodeURIComponent(name)}`, schema: tagSchema };
    const found = await orAbsent(http.json(asked, signal));
    if (found) return { name, id: found.body.commit.id };
  }
  return null;
}

async function pathsAt(
  http: VendorHttp,
  repository: string,
  commitId: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const path = `${pathOfProject(repository)}/repository/tree`;
  const read = async (page: string | null) => {
    const query = { recursive: "true", ref: commitId, per_page: perPage, page: page ?? "1" };
    const { body, headers } = await http.json({ path, query, schema: treeSchema }, signal);
    return { items: body, next: headers["x-next-page"] || null };
  };
  const { items } = await readEveryPage(read, vendorLimits.treePagesMax);
  return items.filter(({ type }) => type === "blob").map((entry) => entry.path);
}

async function readFile(
  http: VendorHttp,
  { repository, commit, path }: FileAt,
  bytesMax: number,
  signal: AbortSignal,
): Promise<HostedFile> {
  const file = `${pathOfProject(repository)}/repository/files/${encodeURIComponent(path)}`;
  const asked = { path: file, query: { ref: commit.id }, schema: fileSchema };
  const body = (await orAbsent(http.json(asked, signal)))?.body;
  if (!body) return { outcome: "absent" };
  if (body.size > bytesMax) return { outcome: "too-large" };
  return decodedFile(body.content, bytesMax, `GitLab, ${commit.name}`);
}
