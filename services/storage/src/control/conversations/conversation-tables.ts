import type { MessageColumns } from "../messages/message-columns.ts";

/** A conversation with a source's bot; without posts, the cancellation of a request that hasn't arrived. */
export interface ConversationTable {
  id: string;
  scope_id: string;
  source_id: string;
  thread: string;
  /** The vendor's coordinates of the discussion. */
  place_json: string;
  /** `PROCESSING`, `COMPLETED`, `FAILED`. */
  status: string;
  /** `assigned`, `mentioned`. */
  how: string;
  /** Null until the discussion was read, like the incident. */
  title: string | null;
  url: string | null;
  incident_id: string | null;
  /** The message that the answer replaces: the acknowledgment, then the answer before. */
  message_id: string | null;
  asked_at: string;
  updated_at: string;
  stopped_at: string | null;
}

/** A post to make in a conversation. */
export interface ConversationPostTable extends MessageColumns {
  conversation_id: string;
  /** Names what it answers, so that each is answered once. */
  key: string;
  /** `start`, `reply`, `answer`, `stop`. */
  kind: string;
  /** The request, or where it was canceled; null for the answer of a finished analysis. */
  request_json: string | null;
  /** What was posted; null until then. */
  said: string | null;
  /** `waiting`, `sending`, `posted`, `called_off`, `given_up`, `refused`. */
  state: string;
}
