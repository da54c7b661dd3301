import { z } from "zod";
import type { ReceivedRequest, VendorAnswerOf } from "../http/vendor-server.ts";

export const bot = { id: 51, username: "project_5_bot_4ffca233", name: "whence", state: "active" };
export const alice = { id: 8, username: "alice", name: "Alice", state: "active" };

/** Who acts in the samples of webhooks. */
const root = { id: 1, username: "root", name: "Ada Root", state: "active" };

/** A member with the role Developer. https://docs.gitlab.com/api/members/ */
export function developer(account: object): object {
  return { ...account, access_level: 30, membership_state: "active", expires_at: null };
}

interface Note {
  readonly id: number;
  readonly body: string;
  readonly author: object;
  readonly internal: boolean;
  readonly discussion: string;
}

interface Reaction {
  readonly id: number;
  readonly name: string;
  readonly user: object;
  readonly on: string;
}

const noteBodySchema = z.object({ body: z.string(), internal: z.boolean().optional() });
const nameSchema = z.object({ name: z.string() });
const discussionNotes = /^\/discussions\/([^/]+)\/notes$/;

/** GitLab's API over one issue and its notes, in its documented format, as the bot of an access token. */
export class GitLabDouble {
  readonly notes: Note[] = [];
  readonly reactions: Reaction[] = [];
  /** https://docs.gitlab.com/api/issues/#single-project-issue */
  issue: object = {
    ...{ id: 92, iid: 17, project_id: 5, title: "Orders fail", description: "TypeError: x", state: "opened" },
    ...{ created_at: "2026-03-01T12:00:00.000+01:00", updated_at: "2026-03-01T11:00:00.000Z", labels: [] },
    ...{ web_url: "https://gitlab.example.com/acme/shop/-/issues/17", severity: "UNKNOWN", type: "ISSUE" },
    ...{ author: alice, assignees: [], confidential: false, discussion_locked: null },
  };
  /** https://docs.gitlab.com/api/projects/#retrieve-a-project */
  project: object = { id: 5, path_with_namespace: "acme/shop", visibility: "private", issues_access_level: "enabled" };
  /** By id, with inherited ones. https://docs.gitlab.com/api/project_members/ */
  readonly members = new Map<number, object>([alice, bot, root].map((account) => [account.id, developer(account)]));
  readonly #project: string;
  readonly #path: string;
  #lastId = 300;

  constructor(project = 5) {
    this.#project = `/projects/${project}`;
    this.#path = `${this.#project}/issues/17`;
  }

  say(body: string, author: object = alice, more: Partial<Note & { system: boolean; created_at: string }> = {}): Note {
    this.#lastId += 1;
    /** https://docs.gitlab.com/api/notes/#list-all-issue-notes */
    const note = {
      ...{ id: this.#lastId, body, attachment: null, author, created_at: "2026-03-01T11:30:00Z", system: false },
      ...{ updated_at: "2026-03-01T11:30:00Z", noteable_id: 92, noteable_type: "Issue", project_id: 5 },
      ...{ noteable_iid: 17, resolvable: false, confidential: false, internal: false, discussion: `d${this.#lastId}` },
      ...more,
    };
    this.notes.push(note);
    return note;
  }

  react(on: string, name: string, user: object = alice): void {
    this.#lastId += 1;
    this.reactions.push({ id: this.#lastId, name, user, on });
  }

  /** The bot's reactions. */
  shown(on = ""): string[] {
    return this.reactions.filter((one) => one.on === on && one.user === bot).map(({ name }) => name);
  }

  readonly answer = (request: ReceivedRequest): VendorAnswerOf => {
    const { method, url } = request;
    const path = url.pathname.replace(/^.*\/api\/v4/, "");
    if (method === "GET" && path === "/user") return { body: { ...bot, bot: true } };
    if (method === "GET" && path === this.#project) return { body: this.project };
    if (path.startsWith(`${this.#project}/members/all/`)) {
      const member = this.members.get(Number(path.split("/").at(-1)));
      return member ? { body: member } : notFound("Member");
    }
    if (!path.startsWith(this.#path)) return notFound("Project");
    const rest = path.slice(this.#path.length);
    if (rest.includes("/award_emoji")) return this.#answerReactions(request, rest);
    if (method === "GET" && rest === "") return { body: this.issue };
    if (method === "GET" && rest === "/notes") return paged(this.notes.toReversed(), url);
    return this.#answerWrite(request, rest);
  };

  #answerWrite({ method, body }: ReceivedRequest, path: string): VendorAnswerOf {
    const { body: text, internal = false } = noteBodySchema.parse(JSON.parse(body));
    if (method === "POST" && path === "/notes") return { status: 201, body: this.say(text, bot, { internal }) };
    const [, discussion] = discussionNotes.exec(path) ?? [];
    const thread = this.notes.find((note) => note.discussion === discussion);
    if (method === "POST" && thread) {
      return { status: 201, body: this.say(text, bot, { discussion: thread.discussion, internal: thread.internal }) };
    }
    const index = this.notes.findIndex(({ id }) => path === `/notes/${id}`);
    const note = this.notes[index];
    if (method !== "PUT" || !note) return notFound("Note");
    this.notes[index] = { ...note, body: text };
    return { body: this.notes[index] };
  }

  #answerReactions({ method, body }: ReceivedRequest, path: string): VendorAnswerOf {
    const [on = "", id] = path.split("/award_emoji");
    const own = this.reactions.filter((one) => one.on === on);
    if (method === "GET") return { body: own };
    if (method === "POST") {
      const { name } = nameSchema.parse(JSON.parse(body));
      if (own.some((one) => one.name === name && one.user === bot)) {
        return notFound("Award Emoji Name has already been taken");
      }
      this.react(on, name, bot);
      return { status: 201, body: this.reactions.at(-1) };
    }
    const index = this.reactions.findIndex((one) => `/${one.id}` === id && one.on === on);
    if (index < 0) return notFound("Award Emoji");
    this.reactions.splice(index, 1);
    return { status: 204, body: "" };
  }
}

function notFound(what: string): VendorAnswerOf {
  return { status: 404, body: { message: `404 ${what} Not Found` } };
}

/** https://docs.gitlab.com/api/rest/#offset-based-pagination */
function paged(items: readonly object[], url: URL): VendorAnswerOf {
  const [perPage, page] = [Number(url.searchParams.get("per_page") ?? 20), Number(url.searchParams.get("page") ?? 1)];
  const body = items.slice((page - 1) * perPage, page * perPage);
  const next = page * perPage < items.length ? String(page + 1) : "";
  return { body, headers: { "x-next-page": next, "x-page": String(page), "x-per-page": String(perPage) } };
}
