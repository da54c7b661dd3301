import { z } from "zod";
import { created, pageSchema } from "../code-hosts/created.ts";
import type { HostedBranch, PullRequests } from "../code-hosts/pull-requests.ts";
import { orAbsent } from "../http/or-absent.ts";
import { VendorFailure } from "../http/vendor-failure.ts";
import type { VendorHttp } from "../http/vendor-http.ts";
import type { OutboundContext } from "../outbound-context.ts";
import { oneLine } from "../text/one-line.ts";
import { type GitLabAccess, openGitLabApi, pathOfProject } from "./api.ts";
import { withoutQuickActions } from "./quick-actions.ts";

/** https://docs.gitlab.com/api/projects/#retrieve-a-project; null for an empty repository. */
const projectSchema = z.object({ default_branch: z.string() });
/** https://docs.gitlab.com/api/branches/#retrieve-a-single-repository-branch */
const branchSchema = z.object({ commit: z.object({ id: z.string() }) });
/** https://docs.gitlab.com/api/commits/#create-a-commit-with-multiple-files-and-actions */
const commitSchema = z.object({ id: z.string() });
/** https://docs.gitlab.com/api/merge_requests/#create-a-merge-request */
const mergeRequestSchema = z.object({ iid: z.int(), web_url: pageSchema });
/** https://docs.gitlab.com/api/rest/troubleshooting/ */
const refusedSchema = z
  .object({ message: z.union([z.string(), z.array(z.string())]) })
  .transform(({ message }) => refusal([message].flat().join(". ")));

const refusedStatuses = [400, 409, 422];
const reasonLengthMax = 300;
/** GitLab knows a draft by its title. https://docs.gitlab.com/user/project/merge_requests/drafts/ */
const draftTitle = "Draft: ";

const forbidden = {
  what: "doesn't let the connected account write to this project",
  advice:
    "set WHENCE_GITLAB_SCOPE to api, give the account the role Developer in the project, and connect GitLab again",
};
const refusals = { forbidden, "not-found": forbidden };

/** Opens the merge requests of one project. */
export function gitLabMergeRequests(access: GitLabAccess, project: string, context: OutboundContext): PullRequests {
  const http = openGitLabApi(access, context, { refusals, answeredStatuses: refusedStatuses });
  const root = pathOfProject(project);
  return {
    async defaultBranch(signal) {
      const { default_branch: name } = (await http.json({ path: root, schema: projectSchema }, signal)).body;
      return branchAt(http, root, name, signal);
    },
    branch: (name, signal) => orAbsent(branchAt(http, root, name, signal)),
    async find(branch, signal) {
      const order = { order_by: "created_at", sort: "desc", per_page: 1 };
      const query = { source_branch: branch, state: "all", ...order };
      const asked = { path: `${root}/merge_requests`, query, schema: z.array(mergeRequestSchema) };
      const [latest] = (await http.json(asked, signal)).body;
      return latest ? pullRequestOf(latest) : null;
    },
    async commit({ branch, parent, message, files }, signal) {
      const actions = files.map(({ path: file_path, text }) => {
        // Base64 keeps line endings as they are.
        return { action: "update", file_path, content: Buffer.from(text).toString("base64"), encoding: "base64" };
      });
      const json = { branch, start_sha: parent, commit_message: message, actions };
      await created(http, { path: `${root}/repository/commits`, json, schema: commitSchema }, refusedSchema, signal);
    },
    async open({ branch, base, title, body }, signal) {
      const json = {
        source_branch: branch,
        target_branch: base,
        title: `${draftTitle}${title}`,
        description: withoutQuickActions(body),
        remove_source_branch: true,
      };
      const asked = { path: `${root}/merge_requests`, json, schema: mergeRequestSchema };
      return pullRequestOf(await created(http, asked, refusedSchema, signal));
    },
    close: () => http.close(),
  };
}

async function branchAt(http: VendorHttp, root: string, name: string, signal: AbortSignal): Promise<HostedBranch> {
  const path = `${root}/repository/branches/${encodeURIComponent(name)}`;
  return { name, commitId: (await http.json({ path, schema: branchSchema }, signal)).body.commit.id };
}

function refusal(reason: string): VendorFailure {
  return new VendorFailure("forbidden", `GitLab refused: ${oneLine(reason, reasonLengthMax)}`);
}

function pullRequestOf({ iid: number, web_url: url }: z.infer<typeof mergeRequestSchema>) {
  return { number, url };
}
