import { z } from "zod";
import type { ConversationStatus } from "../conversations/conversation-vendor.ts";
import { VendorFailure } from "../http/vendor-failure.ts";
import type { LinearApi } from "./api.ts";
import type { LinearPlace } from "./place.ts";

/** By Linear's names. */
const emojis = {
  PROCESSING: "eyes",
  COMPLETED: "white_check_mark",
  FAILED: "x",
} as const satisfies Record<ConversationStatus, string>;

const reactionsSchema = z.array(
  z.object({ id: z.string(), emoji: z.string(), user: z.object({ isMe: z.boolean() }).nullable() }),
);
const reactions = "reactions { id emoji user { isMe } }";

const commentQuery = `query CommentReactions($id: String!) { target: comment(id: $id) { ${reactions} } }`;
const targetSchema = z.object({ target: z.object({ reactions: reactionsSchema }) });

const issueQuery = `query IssueReactions($id: String!) { target: issue(id: $id) { ${reactions} } }`;

const createReaction = `mutation CreateReaction($input: ReactionCreateInput!) {
  done: reactionCreate(input: $input) { success }
}`;
const deleteReaction = "mutation DeleteReaction($id: String!) { done: reactionDelete(id: $id) { success } }";

const workflowQuery = `query Workflow($id: String!) {
  issue(id: $id) {
    delegate { isMe }
    state { type }
    team { states(filter: { type: { eq: "started" } }) { nodes { id position } } }
  }
}`;
const workflowSchema = z.object({
  issue: z.object({
    delegate: z.object({ isMe: z.boolean() }).nullable(),
    state: z.object({ type: z.string() }),
    team: z.object({ states: z.object({ nodes: z.array(z.object({ id: z.string(), position: z.number() })) }) }),
  }),
});
const moveIssue = `mutation MoveIssue($id: String!, $input: IssueUpdateInput!) {
  done: issueUpdate(id: $id, input: $input) { success }
}`;
const statesBeforeStart = ["triage", "backlog", "unstarted"];

/**
 * Shows the state as a reaction on the comment that asks, or on the delegated issue, in place of the previous one. Does
 * nothing when that was deleted in the meantime.
 */
export async function showStatus(
  api: LinearApi,
  place: LinearPlace,
  status: ConversationStatus | null,
  signal: AbortSignal,
): Promise<void> {
  try {
    await react(api, place, status === null ? null : emojis[status], signal);
    if (place.comment === undefined && status === "PROCESSING") await startIssue(api, place.issue, signal);
  } catch (error) {
    if (!(error instanceof VendorFailure) || error.reason !== "not-found") throw error;
  }
}

async function react(
  api: LinearApi,
  { issue, comment }: LinearPlace,
  emoji: string | null,
  signal: AbortSignal,
): Promise<void> {
  const query = comment === undefined ? issueQuery : commentQuery;
  const { target } = await api.ask({ query, variables: { id: comment ?? issue }, schema: targetSchema }, signal);
  const own = target.reactions.filter(({ user }) => user?.isMe === true);
  if (emoji !== null && !own.some((reaction) => reaction.emoji === emoji)) {
    const on = comment === undefined ? { issueId: issue } : { commentId: comment };
    await api.change(createReaction, { input: { ...on, emoji } }, signal);
  }
  const others: readonly string[] = Object.values(emojis).filter((other) => other !== emoji);
  for (const { id } of own.filter((reaction) => others.includes(reaction.emoji))) {
    await api.change(deleteReaction, { id }, signal);
  }
}

/** Moves a delegated issue to the first started state of its team. https://linear.app/developers/agent-best-practices */
async function startIssue(api: LinearApi, id: string, signal: AbortSignal): Promise<void> {
  const { issue } = await api.ask({ query: workflowQuery, variables: { id }, schema: workflowSchema }, signal);
  const [first] = issue.team.states.nodes.toSorted((a, b) => a.position - b.position);
  if (!issue.delegate?.isMe || !statesBeforeStart.includes(issue.state.type) || first === undefined) return;
  await api.change(moveIssue, { id, input: { stateId: first.id } }, signal);
}
