import type { NewMessage } from "../../queue/queue.ts";

/** The investigations of all scopes that are to be published, and those that were. */
export interface OutboxStore {
  readonly outbox: Outbox;
  readonly turns: InvestigationTurns;
}

/**
 * Messages that are written in a transaction, published after it, and then removed. Publishing twice is harmless: the
 * queue drops ids that it has seen.
 */
export interface Outbox {
  /** The oldest messages of the topic, or of all topics, including ones that only a newer release knows. */
  pending(max: number, topic?: string): Promise<readonly OutboxMessage[]>;
  /** At most `maxPerScope` messages of the topic per scope, the most urgent first. */
  urgent(maxPerScope: number, topic: string): Promise<readonly UrgentMessage[]>;
  remove(ids: readonly string[]): Promise<void>;
}

export interface OutboxMessage extends NewMessage {
  readonly topic: string;
}

export interface UrgentMessage extends NewMessage {
  /** The owner. */
  readonly scopeId: string;
}

/** The turns that a publisher began since then. Older ones count as over. */
export interface TurnFilter {
  readonly publisher: string;
  readonly since: Date;
}

/**
 * The investigations that were published and aren't finished, so that a scope's share can be limited. A turn limits
 * nothing else: an investigation that loses its turn continues.
 */
export interface InvestigationTurns {
  /** Begins the turns of messages that are about to be published. Turns of any publisher before `since` are removed. */
  begin(messages: readonly UrgentMessage[], turn: TurnFilter & { readonly now: Date }): Promise<void>;
  /** How many turns each scope has. */
  count(filter: TurnFilter): Promise<ReadonlyMap<string, number>>;
  /** Ends turns by the ids of their messages. */
  end(ids: readonly string[]): Promise<void>;
}
