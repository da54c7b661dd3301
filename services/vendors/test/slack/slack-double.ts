import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { z } from "zod";
import { addressGuard } from "../../src/http/address-guard.ts";
import type { OutboundContext } from "../../src/outbound-context.ts";
import { postedBlocksSchema } from "./posted-blocks.ts";

export const botToken = "xoxb-12345-abcdef";
export const appToken = "xapp-1-A1-67890-abcdef";
export const bot = { userId: "U0BOT", botId: "B0BOT" } as const;
const now = Date.parse("2026-03-01T12:00:00.000Z");

export interface DoubleMessage {
  readonly ts: string;
  readonly user?: string;
  readonly bot_id?: string;
  readonly text?: string;
  readonly blocks?: readonly unknown[];
  readonly attachments?: readonly unknown[];
  readonly metadata?: unknown;
}

interface DoubleAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a text is sent as it is. */
  readonly body?: unknown;
}

type Arguments = Readonly<Record<string, unknown>>;

const named = z.object({ channel: z.string(), ts: z.string() });
const reacted = z.object({ channel: z.string(), timestamp: z.string(), name: z.string() });
const posted = z.object({
  channel: z.string(),
  text: z.string(),
  blocks: postedBlocksSchema,
  metadata: z.object({ event_type: z.string(), event_payload: z.record(z.string(), z.string()) }),
});
/** They take no JSON: each method's page lists its content types. https://docs.slack.dev/reference/methods/conversations.replies */
const withoutJson: readonly string[] = [
  ...["conversations.info", "conversations.replies", "chat.getPermalink", "users.info"],
];
/** By method. https://docs.slack.dev/reference/methods */
const scopesNeeded: Readonly<Record<string, string>> = {
  "conversations.info": "channels:read",
  "conversations.replies": "channels:history",
  "users.info": "users:read",
  "chat.postEphemeral": "chat:write",
  "chat.postMessage": "chat:write",
  "chat.update": "chat:write",
  "reactions.add": "reactions:write",
  "reactions.remove": "reactions:write",
};

const inWorkspace = {
  ...{ name: "alerts", is_channel: true, is_group: false, is_im: false, is_private: false, is_archived: false },
  ...{ is_shared: false, is_ext_shared: false, is_org_shared: false, is_pending_ext_shared: false },
  ...{ pending_shared: [], pending_connected_team_ids: [], context_team_id: "T0ACME", is_member: true },
};
const fullMember = {
  ...{ team_id: "T0ACME", name: "ada", deleted: false, is_admin: false, is_owner: false, is_bot: false },
  ...{ is_restricted: false, is_ultra_restricted: false, is_app_user: false, updated: 1_772_366_000 },
};

/** A double of Slack's Web API, with one workspace and one app in it. It speaks as https://docs.slack.dev/apis/web-api says. */
export class SlackDouble {
  readonly calls: { readonly method: string; readonly args: Arguments }[] = [];
  /** By channel and the time of its first message. */
  readonly threads = new Map<string, DoubleMessage[]>();
  /** By channel and time of a message. */
  readonly reactions = new Map<string, string[]>();
  readonly scopes = new Set([
    ...["app_mentions:read", "channels:history", "channels:read", "chat:write", "groups:history", "groups:read"],
    ...["reactions:write", "users:read", "users:read.email"],
  ]);
  /** What a channel has beside its id. https://docs.slack.dev/reference/objects/conversation-object */
  readonly channels = new Map<string, object>();
  /** What a user has beside their id. https://docs.slack.dev/reference/objects/user-object */
  readonly users = new Map<string, object>();
  /** Whom the app may not see. */
  readonly hiddenUsers = new Set<string>();
  /** Messages on a page of a thread, whatever more is asked for. */
  perPage = 1_000;
  /** Where a WebSocket leads. */
  socketPort = 0;
  readonly #prepared = new Map<string, (DoubleAnswer | "nothing" | "lost")[]>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  #posted = 0;

  static async start(): Promise<SlackDouble> {
    const double = new SlackDouble();
    await new Promise<void>((resolve) => double.#server.listen(0, "127.0.0.1", resolve));
    return double;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the double listens on no port");
    return `http://127.0.0.1:${address.port}`;
  }

  readonly context: OutboundContext = {
    mayReach: addressGuard(["127.0.0.0/8"]),
    clock: () => now,
    addressOf: (documented) => {
      const { protocol, pathname, search } = new URL(documented);
      return protocol === "wss:" ? `ws://127.0.0.1:${this.socketPort}${pathname}${search}` : this.url + pathname;
    },
  };

  thread(channel: string, ...messages: DoubleMessage[]): void {
    this.threads.set(`${channel} ${messages[0]?.ts}`, messages);
  }

  /** Answers the next calls of a method: with something else, not at all, or with an answer that is lost. */
  prepare(method: string, ...answers: (DoubleAnswer | "nothing" | "lost")[]): void {
    this.#prepared.set(method, answers);
  }

  /** The arguments of each call of a method. */
  called(method: string): readonly Arguments[] {
    return this.calls.filter((call) => call.method === method).map(({ args }) => args);
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const url = new URL(request.url ?? "", "http://double");
    const method = url.pathname.replace(/^\/api\//, "");
    const args = argumentsOf(method, url, { request, body: Buffer.concat(chunks).toString("utf8") });
    this.calls.push({ method, args: args ?? {} });
    const prepared = this.#prepared.get(method)?.shift();
    if (prepared === "nothing") return;
    if (typeof prepared === "object") return send(response, prepared);
    const body = this.#refusal(method, request, args) ?? this.#answer(method, args ?? {});
    if (prepared === "lost") return void response.destroy();
    send(response, { headers: { "x-oauth-scopes": [...this.scopes].join(",") }, body });
  }

  #refusal(method: string, { headers }: IncomingMessage, args: Arguments | null): object | null {
    const token = headers.authorization?.replace(/^Bearer /, "");
    if (token === undefined) return refused("not_authed");
    if (token !== botToken && token !== appToken) return refused("invalid_auth");
    if ((token === appToken) !== (method === "apps.connections.open")) return refused("not_allowed_token_type");
    const needed = scopesNeeded[method];
    if (needed !== undefined && !this.scopes.has(needed)) {
      return { ...refused("missing_scope"), needed, provided: [...this.scopes].join(",") };
    }
    return args === null ? refused("invalid_arguments") : null;
  }

  #answer(method: string, args: Arguments): object {
    try {
      return this.#methods[method]?.(args) ?? refused("unknown_method");
    } catch (error) {
      if (error instanceof z.ZodError) return { ...refused("invalid_arguments"), issues: error.issues };
      throw error;
    }
  }

  readonly #methods: Readonly<Record<string, (args: Arguments) => object>> = {
    "auth.test": () => ({
      ...{ ok: true, url: "https://acme.slack.com/", team: "Acme", user: "whence", team_id: "T0ACME" },
      ...{ user_id: bot.userId, bot_id: bot.botId, is_enterprise_install: false },
    }),
    "apps.connections.open": () => ({ ok: true, url: "wss://wss-primary.slack.com/link/?ticket=1&app_id=A1" }),
    "conversations.info": (args) => {
      const { channel: id } = z.object({ channel: z.string() }).parse(args);
      return { ok: true, channel: { id, ...inWorkspace, ...this.channels.get(id) } };
    },
    "users.info": (args) => {
      const { user: id } = z.object({ user: z.string() }).parse(args);
      if (this.hiddenUsers.has(id)) return refused("user_not_visible");
      return { ok: true, user: { id, ...fullMember, ...this.users.get(id) } };
    },
    "conversations.replies": (args) => this.#replies(args),
    "chat.getPermalink": (args) => {
      const { channel, message_ts: ts } = z.object({ channel: z.string(), message_ts: z.string() }).parse(args);
      return { ok: true, channel, permalink: `https://acme.slack.com/archives/${channel}/p${ts.replace(".", "")}` };
    },
    "chat.postEphemeral": (args) => {
      z.object({ channel: z.string(), user: z.string(), text: z.string().min(1), thread_ts: z.string() }).parse(args);
      return { ok: true, message_ts: `${now / 1_000}.000900` };
    },
    "chat.postMessage": (args) => this.#post(args),
    "chat.update": (args) => this.#update(args),
    "reactions.add": (args) => this.#react(args, "already_reacted", (names, name) => [...names, name]),
    "reactions.remove": (args) =>
      this.#react(args, "no_reaction", (names, name) => names.filter((one) => one !== name)),
  };

  #post(args: Arguments): object {
    const { channel, thread_ts: thread, ...message } = posted.extend({ thread_ts: z.string().optional() }).parse(args);
    this.#posted += 1;
    if (thread === undefined) return this.#begin(channel, message);
    const messages = this.threads.get(`${channel} ${thread}`);
    if (!messages) return refused("channel_not_found");
    // After what was said in the thread, also where that is later than the double's clock.
    const ts = `${Math.max(now / 1_000, Number.parseInt(thread, 10) + 100) + this.#posted}.000100`;
    messages.push({ ...message, ts, user: bot.userId, bot_id: bot.botId });
    return { ok: true, channel, ts, message: { ts, ...message } };
  }

  /** Posts outside of any thread, where the app is a member. */
  #begin(channel: string, message: Omit<DoubleMessage, "ts">): object {
    if (!this.channels.has(channel)) return refused("channel_not_found");
    const ts = `${now / 1_000 + this.#posted}.000100`;
    this.thread(channel, { ...message, ts, user: bot.userId, bot_id: bot.botId });
    return { ok: true, channel, ts, message: { ts, ...message } };
  }

  #update(args: Arguments): object {
    const { channel, ts, ...message } = posted.extend({ ts: z.string() }).parse(args);
    for (const messages of this.threads.values()) {
      const at = messages.findIndex((one) => one.ts === ts);
      if (at < 0) continue;
      messages[at] = { ...messages[at], ts, ...message };
      return { ok: true, channel, ts, text: message.text };
    }
    return refused("message_not_found");
  }

  #react(args: Arguments, unchanged: string, change: (names: string[], name: string) => string[]): object {
    const { channel, timestamp, name } = reacted.parse(args);
    const key = `${channel} ${timestamp}`;
    const names = this.reactions.get(key) ?? [];
    if (names.includes(name) === (unchanged === "already_reacted")) return refused(unchanged);
    this.reactions.set(key, change(names, name));
    return { ok: true };
  }

  #replies(args: Arguments): object {
    const { channel, ts } = named.parse(args);
    const messages = this.threads.get(`${channel} ${ts}`);
    if (!messages) return refused("thread_not_found");
    const [first, ...rest] = messages;
    const replies = rest.filter((message) => Number(message.ts) >= Number(args.oldest ?? 0));
    const hasMetadata = String(args.include_all_metadata) === "true";
    const all = [first, ...replies].map((one) => ({ ...one, metadata: hasMetadata ? one?.metadata : undefined }));
    const from = Number(args.cursor ?? 0);
    const next = from + Math.min(this.perPage, Number(args.limit ?? 1_000));
    const more = next < all.length ? { has_more: true, response_metadata: { next_cursor: String(next) } } : {};
    return { ok: true, messages: all.slice(from, next), has_more: false, ...more };
  }
}

export function refused(error: string): { readonly ok: false; readonly error: string } {
  return { ok: false, error };
}

function send(response: ServerResponse, { status = 200, headers = {}, body = { ok: true } }: DoubleAnswer): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers }).end(text);
}

/** From the query, a form, or JSON; null for JSON where Slack takes none. In a form, what isn't text is JSON. */
function argumentsOf(
  method: string,
  url: URL,
  { request, body }: { readonly request: IncomingMessage; readonly body: string },
): Arguments | null {
  const isJson = request.headers["content-type"]?.startsWith("application/json") ?? false;
  if (isJson) {
    return withoutJson.includes(method) ? null : z.record(z.string(), z.unknown()).parse(JSON.parse(body));
  }
  const form = new URLSearchParams(url.search || body);
  return Object.fromEntries([...form].map(([name, value]) => [name, /^[[{]/.test(value) ? JSON.parse(value) : value]));
}
