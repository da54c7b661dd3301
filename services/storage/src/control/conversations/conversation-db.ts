import type { Conversation } from "@whence/protocol";
import type { Allowance } from "../access/allowance.ts";
import type { NewIncident, StoredIncident } from "../incidents/incident-db.ts";
import type { TakingBounds } from "../messages/taken-in-turn.ts";

/** The conversations of a scope. */
export interface ConversationScope {
  readonly conversations: ConversationRepository;
}

/** The conversations of all scopes. */
export interface ConversationStore {
  readonly conversations: ConversationDirectory;
}

/** The vendor's coordinates of a discussion, needed to post there. */
export type Place = Readonly<Record<string, string>>;

/** What someone asks in a conversation, as the analyzer reads it from the vendor. */
export interface AskedInConversation {
  readonly thread: string;
  readonly requestId: string;
  readonly how: "assigned" | "mentioned";
  readonly question: string;
  readonly author: string;
  /** RFC 3339. */
  readonly at: string;
  readonly place: Place;
}

/** The cancellation of a request. */
export interface CalledOff {
  readonly thread: string;
  /** RFC 3339. */
  readonly at: string;
  /** Where it was canceled. */
  readonly place: Place;
}

export interface StoredConversation {
  readonly id: string;
  readonly scopeId: string;
  readonly sourceId: string;
  readonly thread: string;
  readonly place: Place;
  readonly status: Conversation["status"];
  readonly incidentId: string | null;
  /** The message that the next answer replaces. */
  readonly messageId: string | null;
  readonly stoppedAt: string | null;
  /** Whether "working on it" was posted since the request was last canceled. */
  readonly isUnderWayTold: boolean;
  /** Whether an answer was posted. */
  readonly isAnswered: boolean;
}

/** A conversation about an incident. */
export interface IncidentConversation extends Pick<Conversation, "title" | "url" | "asked_at"> {
  readonly sourceId: string;
}

/** The conversations of one scope. */
export interface ConversationRepository {
  /**
   * Stores a request and queues its answer; false when it was stored before. A new conversation, and one that failed
   * before its incident opened, is started.
   */
  ask(sourceId: string, asked: AskedInConversation, now: Date): Promise<boolean>;
  /**
   * Cancels a request and queues the confirmation; false when it was answered, already canceled, or made after the
   * cancellation. A cancellation that arrives before its request is kept; of a source, the newest `rememberedMax`.
   */
  stop(sourceId: string, stopped: CalledOff, bounds: { now: Date; rememberedMax: number }): Promise<boolean>;
  find(id: string): Promise<StoredConversation | null>;
  /**
   * Opens the incident of a conversation, or links an existing one, in one transaction; for one that has ended, the
   * answer is queued at once. Null when the conversation already has an incident, or is gone. Rejects beyond the
   * source's allowance for new ones.
   */
  open(
    id: string,
    about: { readonly title: string; readonly url: string | null },
    incident: { readonly id: string } | { readonly opening: NewIncident; readonly allowance: Allowance },
    now: Date,
  ): Promise<StoredIncident | "joined" | null>;
  /** The conversations of a source, the latest change first. */
  list(sourceId: string, limit: number): Promise<readonly Conversation[]>;
  /** The conversations about an incident, of every source, the latest request first. */
  ofIncident(incidentId: string, limit: number): Promise<readonly IncidentConversation[]>;
}

/**
 * `start` reads the discussion and opens the incident; `reply` answers another request; `answer` follows the analysis; `stop`
 * confirms that the request was called off.
 */
export type PostKind = "start" | "reply" | "answer" | "stop";

export type SaidInConversation = "answer" | "failure" | "under-way" | "existing" | "follow-up" | "stopped" | "nothing";

export interface TakenPost {
  readonly id: string;
  readonly scopeId: string;
  readonly conversationId: string;
  readonly kind: PostKind;
  /** Null for an answer and a stop. */
  readonly asked: AskedInConversation | null;
  /** Where someone asked, or called the request off; null for an answer. */
  readonly place: Place | null;
  /** What an earlier attempt said. */
  readonly said: SaidInConversation | null;
  readonly createdAt: string;
  /** The number of this attempt, from 1. Only the latest may write. */
  readonly attempt: number;
}

export type PostOutcome =
  | { readonly state: "posted" }
  /** The request was canceled before it began. */
  | { readonly state: "called_off" }
  | { readonly state: "given_up"; readonly reason: string }
  /**
   * Posting isn't allowed there, or in reply to this person. Of a source's unanswered conversations, the newest
   * `rememberedMax` are kept.
   */
  | { readonly state: "refused"; readonly reason: string; readonly rememberedMax: number }
  | { readonly state: "waiting"; readonly reason: string; readonly nextAttemptAt: Date };

/** The posts to make in the conversations of all scopes. Any number of processes may make them. */
export interface ConversationDirectory {
  /**
   * Takes posts that are due, scope by scope in turn, the longest waiting first, one at a time per conversation. All
   * processes together hold at most `perScopeMax` of a scope. A post is due again after `holdMs`, in case the process
   * that took it dies.
   */
  take(now: Date, bounds: TakingBounds): Promise<readonly TakenPost[]>;
  /**
   * Records what was posted, and the message that the next answer replaces. False when a later attempt has the post.
   */
  noteSaid(taken: TakenPost, said: SaidInConversation, messageId: string | null): Promise<boolean>;
  /** Records the message that acknowledges a request. */
  noteAcknowledged(taken: TakenPost, messageId: string): Promise<void>;
  /**
   * Records the outcome of an attempt; false when a later one has the post. A conversation that couldn't be started has
   * failed, unless someone else asked in it meanwhile: their request starts it.
   */
  settle(taken: TakenPost, outcome: PostOutcome, now: Date): Promise<boolean>;
}
