import type { AskedInConversation, CalledOff, ControlDb } from "@whence/storage";
import { type ConversationRequest, textFrom, titleFrom } from "@whence/vendors";
import { conversationLimits } from "./conversation-limits.ts";

/** The dependencies for handling a request. */
export interface RequestContext {
  readonly control: Pick<ControlDb, "scope">;
  readonly clock: () => number;
  /** Posts what is due at once. Absent where nothing is posted. */
  readonly kickPoster?: () => void;
}

/** Records a request in a conversation, so that it is answered. Idempotent. */
export async function handleRequest(
  { control, clock, kickPoster }: RequestContext,
  { scopeId, sourceId }: { readonly scopeId: string; readonly sourceId: string },
  request: ConversationRequest,
): Promise<void> {
  const isNew = await control.scope(scopeId).conversations.ask(sourceId, bounded(request), new Date(clock()));
  if (isNew) kickPoster?.();
}

/** Records that a request was canceled, so that this is confirmed. Idempotent. */
export async function handleStop(
  { control, clock, kickPoster }: RequestContext,
  { scopeId, sourceId }: { readonly scopeId: string; readonly sourceId: string },
  { at, ...stopped }: CalledOff,
): Promise<void> {
  const bounds = { now: new Date(clock()), rememberedMax: conversationLimits.rememberedStopsMax };
  const utc = new Date(at).toISOString();
  if (await control.scope(scopeId).conversations.stop(sourceId, { ...stopped, at: utc }, bounds)) kickPoster?.();
}

/** Normalizes times, which are compared as text. */
function bounded({ question, author, at, ...request }: ConversationRequest): AskedInConversation {
  const { questionLengthMax, authorLengthMax } = conversationLimits;
  return {
    ...request,
    question: textFrom(question).slice(0, questionLengthMax).toWellFormed(),
    author: titleFrom(author, "Someone").slice(0, authorLengthMax).toWellFormed(),
    at: new Date(at).toISOString(),
  };
}
