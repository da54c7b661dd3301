import { z } from "zod";
import type { PostOptions } from "../conversations/conversation-vendor.ts";
import { markdownOf } from "../conversations/markdown.ts";
import type { MessageDocument, MessagePurpose } from "../conversations/message-document.ts";
import { VendorFailure } from "../http/vendor-failure.ts";
import type { LinearApi } from "./api.ts";
import { linearId } from "./id.ts";

/** A length that people read in a thread; Linear documents no limit. */
const bodyLengthMax = 20_000;

/** https://linear.app/developers/agent-interaction#activity-content-payload */
const activityTypes = {
  acknowledgment: "thought",
  answer: "response",
  failure: "error",
} as const satisfies Record<MessagePurpose, string>;

const createActivity = `mutation CreateActivity($input: AgentActivityCreateInput!) {
  done: agentActivityCreate(input: $input) { success }
}`;

const updateSession = `mutation UpdateSession($id: String!, $input: AgentSessionUpdateInput!) {
  done: agentSessionUpdate(id: $id, input: $input) { success }
}`;

const activityQuery = `query Activity($id: String!) {
  agentActivity(id: $id) {
    content {
      ... on AgentActivityThoughtContent { type body }
      ... on AgentActivityResponseContent { type body }
      ... on AgentActivityErrorContent { type body }
    }
  }
}`;
const activitySchema = z.object({
  agentActivity: z.object({ content: z.object({ type: z.string().optional(), body: z.string().optional() }) }),
});

type Content = { readonly type: string; readonly body: string };

/**
 * Posts a message as an activity of an agent session, and returns its ID. Linear can't edit activities, so a message
 * with the same text as the one to replace isn't posted again, and an acknowledgment disappears with the next activity.
 */
export async function postActivity(
  api: LinearApi,
  session: string,
  message: MessageDocument,
  { replaces, key, signal }: PostOptions,
): Promise<string> {
  const content = { type: activityTypes[message.purpose], body: markdownOf(message, bodyLengthMax) };
  if (replaces !== null && (await isPosted(api, replaces, content, signal))) return replaces;
  const id = linearId(session, key);
  const ephemeral = message.purpose === "acknowledgment";
  await api.change(createActivity, { input: { id, agentSessionId: session, content, ephemeral } }, signal);
  return id;
}

/** Adds the message's link to the session, where people find it before the answer comes. */
export async function linkSession(
  api: LinearApi,
  session: string,
  { link }: MessageDocument,
  signal: AbortSignal,
): Promise<void> {
  if (link === null) return;
  try {
    const input = { externalUrls: [{ label: link.text, url: link.url }] };
    await api.change(updateSession, { id: session, input }, signal);
  } catch (error) {
    // Linear may reject the URL, for example a private one. The message contains it as well.
    if (!(error instanceof VendorFailure) || error.reason !== "unexpected-answer") throw error;
  }
}

async function isPosted(api: LinearApi, id: string, content: Content, signal: AbortSignal): Promise<boolean> {
  try {
    const { agentActivity } = await api.ask(
      { query: activityQuery, variables: { id }, schema: activitySchema },
      signal,
    );
    return agentActivity.content.type === content.type && agentActivity.content.body === content.body;
  } catch (error) {
    if (error instanceof VendorFailure && error.reason === "not-found") return false;
    throw error;
  }
}
