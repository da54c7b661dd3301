import type { SaidInConversation, StoredConversation, StoredIncident, TakenPost } from "@whence/storage";
import { incidentUrl } from "../incidents/incident-url.ts";
import { answerOf, existingAnalysis, failureOf, underWay } from "./compose-answer.ts";
import type { ConversationContext } from "./conversation-context.ts";
import { followUpAnswer } from "./follow-up/follow-up-answer.ts";
import type { MessageDocument } from "./message-document.ts";
import type { ConversationInHand } from "./start-conversation.ts";

/** What there is to say, and where. */
interface Saying {
  readonly said: SaidInConversation;
  /** Null when there is nothing to say. */
  readonly message: MessageDocument | null;
  readonly place: StoredConversation["place"];
  /** Whether it takes the place of the acknowledgment or of the answer before. */
  readonly isAnswer: boolean;
}

/**
 * Answers a request, or says what the analysis found, and shows the state of the conversation. What an earlier attempt said
 * isn't said again. Returns what was said.
 */
export async function sayInConversation(
  context: ConversationContext,
  { taken, conversation, client, signal }: ConversationInHand,
): Promise<SaidInConversation> {
  let { said } = taken;
  if (said === null) {
    const { said: saying, message, place, isAnswer } = await whatToSay(context, taken, conversation);
    const replaces = isAnswer ? conversation.messageId : null;
    const messageId = message && (await client.post(place, message, { replaces, key: taken.id, signal }));
    await context.control.conversations.noteSaid(taken, saying, isAnswer ? messageId : null);
    said = saying;
  }
  if (taken.kind === "answer") await client.show(conversation.place, conversation.status, signal);
  return said;
}

async function whatToSay(
  { control, appUrl }: ConversationContext,
  { kind, asked, scopeId }: TakenPost,
  conversation: StoredConversation,
): Promise<Saying> {
  const { incidentId, stoppedAt, place } = conversation;
  const nothing: Saying = { said: "nothing", message: null, place, isAnswer: false };
  if (stoppedAt !== null) return nothing;
  const incident = incidentId === null ? null : await control.scope(scopeId).incidents.find(incidentId);
  const url = incident ? incidentUrl(appUrl, incident.id) : appUrl;
  if (kind === "answer") return incident ? answering(incident, conversation, url, nothing) : nothing;
  const here = { place: asked?.place ?? place, isAnswer: false };
  if (!incident || conversation.status === "PROCESSING") {
    if (conversation.isUnderWayTold) return nothing;
    return { ...here, said: "under-way", message: underWay(url) };
  }
  const question = asked?.question.trim() ?? "";
  if (question === "" || !incident.report) {
    return { ...here, said: "existing", message: existingAnalysis(incident, url) };
  }
  return { ...here, said: "follow-up", message: followUpAnswer(incident, question, url) };
}

/** Nothing while the incident is investigated again, or was merged into one that is: another answer follows. */
function answering(incident: StoredIncident, { status }: StoredConversation, url: string, nothing: Saying): Saying {
  if (status === "COMPLETED" && incident.report) {
    return { ...nothing, said: "answer", message: answerOf(incident, url), isAnswer: true };
  }
  if (status === "FAILED" && incident.failure) {
    return { ...nothing, said: "failure", message: failureOf(incident, url), isAnswer: true };
  }
  return nothing;
}
