import addLabels from "@octokit/fixtures/scenarios/api.github.com/add-labels-to-issue/normalized-fixture.json" with {
  type: "json",
};
import examples from "@octokit/webhooks-examples/api.github.com/index.json" with { type: "json" };
import { z } from "zod";
import type { ReceivedRequest, VendorAnswerOf } from "../http/vendor-server.ts";

const recordedSchema = z.looseObject({ html_url: z.string() });
/** An issue as GitHub's API answered it. */
const recordedIssue = recordedSchema.parse(addLabels[0]?.response);
/** A comment in a webhook has the fields that it has in the API. */
const commentExample = z
  .looseObject({ comment: z.looseObject({ id: z.int() }) })
  .parse(examples.find(({ name }) => name === "issue_comment")?.examples[0]).comment;

const bodySchema = z.object({ body: z.string() });
const contentSchema = z.object({ content: z.string() });

export const bot = { id: 4711, login: "acme-whence", type: "User" };
export const alice = { id: 8, login: "alice", type: "User" };

interface Comment {
  readonly id: number;
  readonly body: string;
  readonly user: object;
  readonly created_at: string;
}

interface Reaction {
  readonly id: number;
  readonly content: string;
  readonly user: object;
  readonly on: string;
}

/** GitHub's API over one issue and its comments, in its documented format, as the bot account. */
export class GitHubDouble {
  readonly comments: Comment[] = [];
  readonly reactions: Reaction[] = [];
  issue: object = { ...recordedIssue, title: "Orders fail", body: "TypeError: x", created_at: "2026-03-01T11:00:00Z" };
  /** https://docs.github.com/en/rest/repos/repos#get-a-repository */
  repository: object = { id: 1000, full_name: "acme/shop", private: true, visibility: "private" };
  /** Logins to which issues of the repository can be assigned. */
  readonly assignable = new Set([alice.login, bot.login]);
  /** Below the host. */
  readonly base: string;
  readonly #repository: string;
  #lastId = 100;

  constructor(base = "", repository = "acme/shop") {
    this.base = base;
    this.#repository = `/repos/${repository}`;
  }

  say(body: string, user: object = alice, created_at = "2026-03-01T11:30:00Z"): Comment {
    this.#lastId += 1;
    const comment = { ...commentExample, id: this.#lastId, body, user, created_at };
    this.comments.push(comment);
    return comment;
  }

  react(on: string, content: string, user: object = alice): Reaction {
    const same = this.reactions.find((one) => one.on === on && one.content === content && one.user === user);
    if (same) return same;
    this.#lastId += 1;
    const reaction = { id: this.#lastId, node_id: "x", content, user, created_at: "2026-03-01T12:00:00Z", on };
    this.reactions.push(reaction);
    return reaction;
  }

  /** The bot's reactions. */
  shown(on: string): string[] {
    return this.reactions.filter((one) => one.on === on && one.user === bot).map(({ content }) => content);
  }

  readonly answer = (request: ReceivedRequest): VendorAnswerOf => {
    const { method, url, body } = request;
    const path = url.pathname.replace(this.base, "");
    if (method === "GET" && path === "/user") return { body: bot };
    if (method === "GET" && path === this.#repository) return { body: this.repository };
    if (!path.startsWith(`${this.#repository}/`)) return notFound;
    const rest = path.slice(this.#repository.length);
    if (rest.includes("/reactions")) return this.#answerReactions(request, rest);
    const [, login = ""] = /^\/assignees\/(.+)$/.exec(rest) ?? [];
    if (method === "GET" && this.assignable.has(decodeURIComponent(login))) return { status: 204, body: "" };
    if (method === "GET" && rest === "/issues/7") return { body: this.issue };
    if (method === "GET" && rest === "/issues/7/comments") return paged(this.comments, url);
    if (method === "POST" && rest === "/issues/7/comments") {
      return { status: 201, body: this.say(bodySchema.parse(JSON.parse(body)).body, bot) };
    }
    const index = this.comments.findIndex(({ id }) => rest === `/issues/comments/${id}`);
    const comment = this.comments[index];
    if (method !== "PATCH" || !comment) return notFound;
    this.comments[index] = { ...comment, ...bodySchema.parse(JSON.parse(body)) };
    return { body: this.comments[index] };
  };

  #answerReactions({ method, url, body }: ReceivedRequest, path: string): VendorAnswerOf {
    const [on = "", id] = path.split("/reactions");
    const known = this.comments.some((comment) => on === `/issues/comments/${comment.id}`) || on === "/issues/7";
    if (!known) return notFound;
    if (method === "POST") {
      const count = this.reactions.length;
      const reaction = this.react(on, contentSchema.parse(JSON.parse(body)).content, bot);
      return { status: this.reactions.length > count ? 201 : 200, body: reaction };
    }
    if (method === "DELETE") {
      const index = this.reactions.findIndex((one) => `/${one.id}` === id && one.on === on);
      if (index < 0) return notFound;
      this.reactions.splice(index, 1);
      return { status: 204, body: "" };
    }
    const content = url.searchParams.get("content");
    return { body: this.reactions.filter((one) => one.on === on && (content ?? one.content) === one.content) };
  }
}

const notFound = { status: 404, body: { message: "Not Found", status: "404" } };

/** https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api */
function paged(items: readonly object[], url: URL): VendorAnswerOf {
  const [perPage, page] = [Number(url.searchParams.get("per_page") ?? 30), Number(url.searchParams.get("page") ?? 1)];
  const last = Math.max(1, Math.ceil(items.length / perPage));
  const at = (to: number) => `<https://api.github.com/repositories/1000${url.pathname}?per_page=${perPage}&page=${to}>`;
  const next = page < last ? [`${at(page + 1)}; rel="next"`, `${at(last)}; rel="last"`] : [];
  const before = page > 1 ? [`${at(page - 1)}; rel="prev"`, `${at(1)}; rel="first"`] : [];
  const link = [...before.slice(0, 1), ...next, ...before.slice(1)].join(", ");
  const body = items.slice((page - 1) * perPage, page * perPage);
  return { body, headers: link === "" ? {} : { link } };
}
