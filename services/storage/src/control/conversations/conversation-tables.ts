/** A conversation in which someone asked a source's bot; without posts, one whose request was called off before it arrived. */
export interface ConversationTable {
  id: string;
  scope_id: string;
  source_id: string;
  thread: string;
  /** What the vendor needs to answer there. */
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

/** Something to say in a conversation. */
export interface ConversationPostTable {
  id: string;
  conversation_id: string;
  scope_id: string;
  /** Names what it answers, so that each is answered once. */
  key: string;
  /** `start`, `reply`, `answer`, `stop`. */
  kind: string;
  /** What someone asked, or where it was called off; null for an answer that the end of the analysis calls for. */
  request_json: string | null;
  /** What was said; null until then. */
  said: string | null;
  /** `waiting`, `sending`, `posted`, `called_off`, `given_up`, `refused`. */
  state: string;
  /** How often it was tried; the latest attempt alone may settle it. */
  attempts: number;
  /** While it is being sent: when it counts as lost with its process. */
  next_attempt_at: string;
  created_at: string;
  settled_at: string | null;
  reason: string | null;
}
