import { readFileSync } from "node:fs";
import { buildSchema, GraphQLError, graphql } from "graphql";
import { z } from "zod";
import type { OutboundContext } from "../../src/outbound-context.ts";
import { startVendorServer, type VendorAnswerOf, type VendorServer } from "../http/vendor-server.ts";
import { issueId, mentionId } from "./samples.ts";

const schema = buildSchema(readFileSync(new URL("agent.graphql", import.meta.url), "utf8"));
const requestSchema = z.object({ query: z.string(), variables: z.record(z.string(), z.unknown()).optional() });
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export const application = { client_id: "client-of-acme", client_secret: "secret-of-acme" };

export interface Activity {
  readonly id: string;
  readonly agentSessionId: string;
  readonly content: { readonly type: string; readonly body: string };
  readonly ephemeral: boolean;
}

interface Reaction {
  readonly id: string;
  readonly on: string;
  readonly emoji: string;
  readonly user: { readonly isMe: boolean } | null;
}

/** What a workspace has: one issue, with one comment that mentions the bot, and others with the same text. */
interface Workspace {
  issue: Record<string, unknown>;
  readonly otherIssues: Set<string>;
  comments: object[];
  activities: Activity[];
  reactions: Reaction[];
  readonly links: Map<string, unknown>;
  /** By id: what tells a person from a member. */
  readonly people: Map<string, { readonly active: boolean; readonly guest: boolean } | null>;
  /** Sessions in a thread that Linear passes on to another service. */
  readonly syncedSessions: Set<string>;
  hasComment: boolean;
  takesLinks: boolean;
}

/**
 * A double of Linear: its token endpoint, and its own schema over one workspace. A query that the schema doesn't have is
 * refused, like an id that exists.
 */
export interface LinearDouble {
  readonly workspace: Workspace;
  readonly context: OutboundContext;
  readonly requests: VendorServer["requests"];
  /** Forms that asked for a token. */
  readonly tokenRequests: readonly URLSearchParams[];
  /** Linear no longer takes the tokens that it gave. */
  revokeTokens(): void;
  /** From now on, tokens live for so many seconds. */
  shortenLives(seconds: number): void;
  /** What answers queries from now on, in place of the workspace. */
  answerQueries(answer: VendorAnswerOf): void;
  /** Queries get no answer from now on; called when one comes. */
  holdQueries(arrived: () => void): void;
  answerTokenRequests(answer: VendorAnswerOf): void;
  close(): Promise<void>;
}

const started = { id: "state-2", position: 20 };

export async function startLinear(): Promise<LinearDouble> {
  const server = await startVendorServer();
  const workspace = newWorkspace();
  const rootValue = resolvers(workspace);
  const tokenRequests: URLSearchParams[] = [];
  const live = new Set<string>();
  let lifetimeSeconds = 2_591_999;
  let ofQueries: (() => VendorAnswerOf | undefined) | null = null;
  let ofTokens: VendorAnswerOf | null = null;

  const token = (form: URLSearchParams): VendorAnswerOf => {
    tokenRequests.push(form);
    const isRight = form.get("client_secret") === application.client_secret;
    if (ofTokens || !isRight) return ofTokens ?? { status: 401, body: { error: "invalid_client" } };
    const accessToken = `token-${tokenRequests.length}`;
    live.add(accessToken);
    const body = { access_token: accessToken, token_type: "Bearer", expires_in: lifetimeSeconds, scope: "read write" };
    return { body };
  };
  server.answer(({ url, headers, body }, response) => {
    if (url.pathname === "/oauth/token") return token(new URLSearchParams(body));
    if (ofQueries) return ofQueries();
    if (!live.has(headers.authorization?.slice("Bearer ".length) ?? "")) {
      return {
        status: 401,
        body: { errors: [{ message: "Authentication required", extensions: { code: "AUTHENTICATION_ERROR" } }] },
      };
    }
    const { query, variables } = requestSchema.parse(JSON.parse(body));
    void graphql({ schema, source: query, rootValue, variableValues: variables ?? {} }).then((result) => {
      const isInvalid = result.errors !== undefined && result.data === undefined;
      response.writeHead(isInvalid ? 400 : 200, { "content-type": "application/json" }).end(JSON.stringify(result));
    });
    return undefined;
  });
  return {
    ...{ workspace, tokenRequests, context: server.context, requests: server.requests },
    revokeTokens: () => live.clear(),
    shortenLives: (seconds) => {
      lifetimeSeconds = seconds;
    },
    answerQueries: (answer) => {
      ofQueries = () => answer;
    },
    holdQueries: (arrived) => {
      ofQueries = () => void arrived();
    },
    answerTokenRequests: (answer) => {
      ofTokens = answer;
    },
    close: () => server.close(),
  };
}

function newWorkspace(): Workspace {
  return {
    ...{ otherIssues: new Set(), people: new Map(), syncedSessions: new Set() },
    issue: {
      ...{ identifier: "ORD-12", title: "Orders fail", description: null, priority: 0, creator: null },
      ...{ url: "https://linear.app/acme/issue/ORD-12", createdAt: "2026-03-01T11:50:00.000Z" },
      ...{ team: { name: "Orders", states: () => ({ nodes: [{ id: "state-3", position: 30 }, started] }) } },
      ...{ labels: { nodes: [] }, attachments: { nodes: [] }, state: { type: "unstarted" }, delegate: { isMe: true } },
    },
    ...{ comments: [], activities: [], reactions: [], links: new Map(), hasComment: true, takesLinks: true },
  };
}

interface Created {
  readonly input: Readonly<Record<string, unknown>>;
}

function resolvers(workspace: Workspace): object {
  const success = { success: true };
  const reactionsOn = (on: string) => workspace.reactions.filter((reaction) => reaction.on === on);
  return {
    viewer: { id: "bot-1", name: "Whence Bot", displayName: "whencebot" },
    organization: { id: "organization-1", name: "Acme" },
    issue({ id }: { id: string }) {
      if (id !== issueId && !workspace.otherIssues.has(id)) throw missing("Issue");
      return {
        ...workspace.issue,
        reactions: reactionsOn(id),
        comments: (page: Page) => pageOf(workspace.comments, page),
      };
    },
    comment({ id }: { id: string }) {
      if (id !== mentionId || !workspace.hasComment) throw missing("Comment");
      return { reactions: reactionsOn(id) };
    },
    agentSession({ id }: { id: string }) {
      const externalThread = workspace.syncedSessions.has(id) ? { type: "integration" } : null;
      return { comment: { externalThread, parent: null } };
    },
    user({ id }: { id: string }) {
      const person = workspace.people.get(id);
      if (person === null) throw missing("User");
      return person ?? { active: true, guest: false };
    },
    agentActivity({ id }: { id: string }) {
      const activity = workspace.activities.find((one) => one.id === id);
      if (!activity) throw missing("AgentActivity");
      const { type, body } = activity.content;
      return {
        content: { __typename: `AgentActivity${type.charAt(0).toUpperCase()}${type.slice(1)}Content`, type, body },
      };
    },
    agentActivityCreate({ input }: { input: Activity }) {
      if (!uuid.test(input.id)) throw refused("id must be a UUID");
      if (workspace.activities.some(({ id }) => id === input.id)) throw refused("conflict on insert of AgentActivity");
      workspace.activities.push({ ...input });
      return success;
    },
    agentSessionUpdate({ id, input }: Created & { id: string }) {
      if (!workspace.takesLinks) throw refused("Argument Validation Error");
      workspace.links.set(id, structuredClone(input.externalUrls));
      return success;
    },
    reactionCreate({ input }: Created) {
      const emoji = String(input.emoji);
      const on = String(input.commentId ?? input.issueId);
      const isThere = reactionsOn(on).some((one) => one.emoji === emoji && one.user?.isMe);
      if (isThere) throw refused("conflict on insert of Reaction");
      workspace.reactions.push({ id: `${on} ${emoji}`, on, emoji, user: { isMe: true } });
      return success;
    },
    reactionDelete({ id }: { id: string }) {
      workspace.reactions = workspace.reactions.filter((reaction) => reaction.id !== id);
      return success;
    },
    issueUpdate({ input }: Created) {
      workspace.issue = { ...workspace.issue, state: { type: "started", id: input.stateId } };
      return success;
    },
  };
}

interface Page {
  readonly first: number;
  readonly after: string | null;
}

function pageOf(all: readonly object[], { first, after }: Page): object {
  const start = Number(after ?? 0);
  const end = start + first;
  return { nodes: all.slice(start, end), pageInfo: { hasNextPage: end < all.length, endCursor: String(end) } };
}

/** As Linear answers what isn't there, and what an application may not see. */
function missing(type: string): GraphQLError {
  return refused(`Entity not found: ${type}`);
}

function refused(message: string): GraphQLError {
  const extensions = { type: "invalid input", code: "INPUT_ERROR", statusCode: 400, userError: true };
  return new GraphQLError(message, { extensions });
}
