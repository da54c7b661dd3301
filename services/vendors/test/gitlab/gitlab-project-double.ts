import { createHash } from "node:crypto";
import { z } from "zod";
import type { ReceivedRequest, VendorAnswerOf } from "../http/vendor-server.ts";

type Files = Readonly<Record<string, string | Buffer>>;

interface Commit {
  readonly id: string;
  readonly message: string;
  readonly parent: string | null;
  readonly files: Files;
}

const commitSchema = z.object({
  ...{ branch: z.string(), start_sha: z.string(), commit_message: z.string() },
  actions: z.array(
    z.object({
      ...{ action: z.literal("update"), file_path: z.string(), content: z.string(), encoding: z.literal("base64") },
    }),
  ),
});
const mergeRequestSchema = z.object({
  ...{ source_branch: z.string(), target_branch: z.string(), title: z.string(), description: z.string() },
  remove_source_branch: z.boolean(),
});
type MergeRequest = z.infer<typeof mergeRequestSchema> & { readonly iid: number };

/** GitLab's API over one project with its branches, files, and merge requests, in its documented format. */
export class GitLabProjectDouble {
  /** What the token may do. */
  scope: "api" | "read_api" = "api";
  /** By name. */
  readonly branches = new Map<string, string>();
  readonly tags = new Map<string, string>();
  readonly mergeRequests: MergeRequest[] = [];
  readonly path: string;
  readonly #url: string;
  readonly #commits = new Map<string, Commit>();

  constructor(url: string, path = "acme/orders") {
    this.#url = url;
    this.path = path;
  }

  /** Commits files over those of a branch, which is created if it doesn't exist, and returns the ID of the commit. */
  write(branch: string, files: Files, message = "Write", parent = this.branches.get(branch) ?? null): string {
    const before = parent === null ? {} : (this.#commits.get(parent)?.files ?? {});
    const id = createHash("sha1")
      .update(`${parent}${message}${JSON.stringify(files)}`)
      .digest("hex");
    this.#commits.set(id, { id, message, parent, files: { ...before, ...files } });
    this.branches.set(branch, id);
    return id;
  }

  /** The commit that a branch is at. */
  head(branch: string): Commit | undefined {
    return this.#commits.get(this.branches.get(branch) ?? "");
  }

  readonly answer = (request: ReceivedRequest): VendorAnswerOf => {
    const { method, url } = request;
    const path = decodeURIComponent(url.pathname).replace(/^\/api\/v4/, "");
    const root = `/projects/${this.path}`;
    if (path === "/projects") return { body: [{ path: this.path.split("/").at(-1), path_with_namespace: this.path }] };
    if (!path.startsWith(root)) return notFound("Project");
    if (method === "GET") return this.#read(path.slice(root.length), url.searchParams);
    return this.scope === "api" ? this.#write(path.slice(root.length), JSON.parse(request.body)) : insufficientScope;
  };

  #read(path: string, query: URLSearchParams): VendorAnswerOf {
    if (path === "") return { body: { id: 5, path_with_namespace: this.path, default_branch: "main" } };
    if (path === "/merge_requests") {
      const found = this.mergeRequests.filter((one) => one.source_branch === query.get("source_branch"));
      return { body: found.toReversed().map((one) => this.#shown(one)) };
    }
    const [, , what = "", ...rest] = path.split("/");
    const name = rest.join("/");
    const commit = this.#commits.get(query.get("ref") ?? "");
    switch (what) {
      case "branches":
      case "tags": {
        const id = this[what].get(name);
        return id === undefined ? notFound("Branch") : { body: { name, commit: { id } } };
      }
      case "commits":
        return this.#commits.has(name) ? { body: { id: name } } : notFound("Commit");
      case "tree":
        return { body: Object.keys(commit?.files ?? {}).map((file) => ({ path: file, type: "blob", mode: "100644" })) };
      default: {
        const content = commit?.files[name];
        if (content === undefined) return notFound("File");
        const bytes = Buffer.from(content);
        return { body: { file_path: name, size: bytes.length, encoding: "base64", content: bytes.toString("base64") } };
      }
    }
  }

  #write(path: string, json: unknown): VendorAnswerOf {
    if (path === "/merge_requests") {
      const asked = mergeRequestSchema.parse(json);
      if (this.mergeRequests.some((one) => one.source_branch === asked.source_branch)) {
        const reason = `Another open merge request already exists for this source branch: !1`;
        return { status: 409, body: { message: [reason] } };
      }
      this.mergeRequests.push({ ...asked, iid: this.mergeRequests.length + 1 });
      return { status: 201, body: this.mergeRequests.slice(-1).map((one) => this.#shown(one))[0] };
    }
    const { branch, start_sha: parent, commit_message: message, actions } = commitSchema.parse(json);
    if (this.branches.has(branch)) {
      const reason = `A branch called '${branch}' already exists. Switch to that branch in order to make changes`;
      return { status: 400, body: { message: reason } };
    }
    const files = actions.map((one) => [one.file_path, Buffer.from(one.content, "base64")] as const);
    const id = this.write(branch, Object.fromEntries(files), message, parent);
    return { status: 201, body: { id, short_id: id.slice(0, 8), title: message, parent_ids: [parent] } };
  }

  #shown({ remove_source_branch: force_remove_source_branch, ...one }: MergeRequest): object {
    const web_url = `${this.#url}/${this.path}/-/merge_requests/${one.iid}`;
    return { ...one, web_url, force_remove_source_branch, state: "opened", draft: one.title.startsWith("Draft: ") };
  }
}

function notFound(what: string): VendorAnswerOf {
  return { status: 404, body: { message: `404 ${what} Not Found` } };
}

/** https://datatracker.ietf.org/doc/html/rfc6750#section-3.1 */
const insufficientScope = {
  status: 403,
  body: {
    error: "insufficient_scope",
    error_description: "The request requires higher privileges than provided by the access token.",
    scope: "api",
  },
};
