import type { Conversation } from "@whence/protocol";
import type { Allowance } from "../access/allowance.ts";
import type { NewIncident, StoredIncident } from "../incidents/incident-db.ts";
import type { TakingBounds } from "../investigations/taken-in-turn.ts";

/** The conversations of a scope. */
export interface ConversationScope {
  readonly conversations: ConversationRepository;
}

/** The conversations of all scopes. */
export interface ConversationStore {
  readonly conversations: ConversationDirectory;
}

/** What a vendor needs to answer where it was asked. */
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

/** A request that someone calls off. */
export interface CalledOff {
  readonly thread: string;
  /** RFC 3339. */
  readonly at: string;
  /** Where it was called off. */
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
  /** Whether it was said already that the answer will come, since the request was last called off. */
  readonly isUnderWayTold: boolean;
  /** Whether the end of an analysis was said. */
  readonly isAnswered: boolean;
}

/** The conversations of one scope. */
export interface ConversationRepository {
  /**
   * Notes what someone asks, and that it is to be answered; false when it was noted before. A new conversation, and one that
   * failed before its incident opened, is to be started.
   */
  ask(sourceId: string, asked: AskedInConversation, now: Date): Promise<boolean>;
  /**
   * Notes that the request was called off, and that this is to be confirmed; false when it was answered, called off before, or
   * made later than that. What is called off before it arrives is remembered, up to `rememberedMax` of a source, the newest.
   */
  stop(sourceId: string, stopped: CalledOff, bounds: { now: Date; rememberedMax: number }): Promise<boolean>;
  find(id: string): Promise<StoredConversation | null>;
  /**
   * Opens the incident of a conversation, or makes it belong to one that there is, in one transaction; of one that has ended,
   * the answer is noted at once. Null when the conversation has an incident, or is gone. Rejects when its source has used up
   * the allowance for new ones.
   */
  open(
    id: string,
    about: { readonly title: string; readonly url: string | null },
    incident: { readonly id: string } | { readonly opening: NewIncident; readonly allowance: Allowance },
    now: Date,
  ): Promise<StoredIncident | "joined" | null>;
  /** Those of a source that changed last, the latest first. */
  list(sourceId: string, limit: number): Promise<readonly Conversation[]>;
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
  /** Which attempt this is, from 1: fences off the others. */
  readonly attempt: number;
}

export type PostOutcome =
  | { readonly state: "posted" }
  /** Someone called the request off before it began. */
  | { readonly state: "called_off" }
  | { readonly state: "given_up"; readonly reason: string }
  /** Nothing may be said there, or to who asked. The newest `rememberedMax` conversations of a source without any answer are kept. */
  | { readonly state: "refused"; readonly reason: string; readonly rememberedMax: number }
  | { readonly state: "waiting"; readonly reason: string; readonly nextAttemptAt: Date };

/** What there is to say, in the conversations of all scopes. Any number of processes may say it. */
export interface ConversationDirectory {
  /**
   * Takes what is due, each scope in its turn, the longest waiting first, and of one conversation one at a time. Of one scope
   * no more than `perScopeMax` are in hand, by all processes together. A taken one comes again after `holdMs`, so that a
   * process which dies loses nothing.
   */
  take(now: Date, bounds: TakingBounds): Promise<readonly TakenPost[]>;
  /** Notes what was said, and in which message if the next answer replaces it; false when a later attempt has the post. */
  noteSaid(taken: TakenPost, said: SaidInConversation, messageId: string | null): Promise<boolean>;
  /** Notes the message that acknowledges a conversation's request. */
  noteAcknowledged(taken: TakenPost, messageId: string): Promise<void>;
  /** Writes what became of the attempt; false when a later one has it. A conversation that couldn't be started has failed, unless someone else asked in it meanwhile: then that starts it. */
  settle(taken: TakenPost, outcome: PostOutcome, now: Date): Promise<boolean>;
}
