import type { SaidInConversation, StoredConversation, StoredIncident, TakenPost } from "@whence/storage";
import type { ConversationStatus, MessageDocument } from "@whence/vendors";
import { incidentUrl } from "../incidents/incident-url.ts";
import { answerOf, existingAnalysis, failureOf, stopped, underWay } from "./compose-answer.ts";
import type { ConversationContext } from "./conversation-context.ts";
import { conversationLimits } from "./conversation-limits.ts";
import { answerFollowUp } from "./follow-up/answer-follow-up.ts";
import { withButtons } from "./incident-buttons.ts";
import type { ConversationInHand } from "./start-conversation.ts";

/** A message, and its place. */
interface Saying {
  readonly said: SaidInConversation;
  /** Null when there is nothing to post. */
  readonly message: MessageDocument | null;
  readonly place: StoredConversation["place"];
  /** Whether it replaces the acknowledgment or the previous answer. */
  readonly isAnswer: boolean;
}

/**
 * Answers a request, or posts the result of the analysis, and shows the state of the conversation. Doesn't repeat what
 * an earlier attempt posted. Returns what was posted.
 */
export async function sayInConversation(
  context: ConversationContext,
  inHand: ConversationInHand,
): Promise<SaidInConversation> {
  const { taken, conversation, client, signal } = inHand;
  let { said } = taken;
  if (said === null) {
    const saying = await whatToSay(context, taken, conversation);
    const messageId = await say(inHand, saying);
    await context.control.conversations.noteSaid(taken, saying.said, saying.isAnswer ? messageId : null);
    said = saying.said;
  }
  const state = stateAfter(said, conversation);
  if (state !== undefined) await client.show(conversation.place, state, signal);
  return said;
}

/** Posts a message; returns its id if a later one may replace it. */
async function say(
  { taken, conversation, client, signal }: ConversationInHand,
  { said, message, place, isAnswer }: Saying,
): Promise<string | null> {
  if (message === null) return null;
  if (said !== "stopped") {
    const replaces = isAnswer ? conversation.messageId : null;
    return client.post(place, message, { replaces, key: taken.id, signal });
  }
  // Other requests canceled with this one confirm it under the same key, so that it is posted once in each place.
  const key = `${conversation.id} ${conversation.stoppedAt}`;
  const options = { replaces: conversation.messageId, key, signal };
  await client.confirmStop(place, message, options);
  if (taken.kind === "stop") await client.confirmStop(conversation.place, message, options);
  return null;
}

/** Returns the state to show then; undefined where the current one remains true. */
function stateAfter(said: SaidInConversation, { status }: StoredConversation): ConversationStatus | null | undefined {
  if (said === "stopped") return null;
  return said === "answer" || said === "failure" || said === "under-way" ? status : undefined;
}

async function whatToSay(
  { control, appUrl, askModel }: ConversationContext,
  { kind, asked, place: askedIn, scopeId, attempt }: TakenPost,
  conversation: StoredConversation,
): Promise<Saying> {
  const { incidentId, stoppedAt, isAnswered, place } = conversation;
  const nothing: Saying = { said: "nothing", message: null, place, isAnswer: false };
  const here = { place: askedIn ?? place, isAnswer: false };
  if (stoppedAt !== null && !isAnswered) {
    return kind === "answer" ? nothing : { ...here, said: "stopped", message: stopped() };
  }
  // It was answered before the stop, or someone asked again.
  if (kind === "stop") return nothing;
  const incident = incidentId === null ? null : await control.scope(scopeId).incidents.find(incidentId);
  const url = incident ? incidentUrl(appUrl, incident.id) : appUrl;
  if (kind === "answer") return incident ? answering(incident, conversation, url, nothing) : nothing;
  if (!incident || conversation.status === "PROCESSING") {
    if (conversation.isUnderWayTold) return nothing;
    return { ...here, said: "under-way", message: underWay(url) };
  }
  const question = asked?.question.trim() ?? "";
  if (question === "" || !incident.report) {
    return { ...here, said: "existing", message: existingAnalysis(incident, url) };
  }
  // Retries may be many, and each answer of a model costs tokens.
  const model = attempt <= conversationLimits.modelAttemptsMax ? askModel : undefined;
  const { answer: message } = await answerFollowUp({ scopeId, incident, question, url }, model);
  return { ...here, said: "follow-up", message };
}

/** Returns nothing while the incident is investigated again, or was merged into one that is: another answer follows. */
function answering(incident: StoredIncident, { status }: StoredConversation, url: string, nothing: Saying): Saying {
  if (status === "COMPLETED" && incident.report) {
    return { ...nothing, said: "answer", message: withButtons(answerOf(incident, url), incident), isAnswer: true };
  }
  if (status === "FAILED" && incident.failure) {
    return { ...nothing, said: "failure", message: withButtons(failureOf(incident, url), incident), isAnswer: true };
  }
  return nothing;
}
