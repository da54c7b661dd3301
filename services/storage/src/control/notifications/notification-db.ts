import type {
  Notification,
  NotificationChannel,
  NotificationDelivery,
  NotificationRule,
  NotificationRuleChoice,
  NotificationType,
  Severity,
} from "@whence/protocol";
import type { TakingBounds } from "../messages/taken-in-turn.ts";
import type { Person } from "../settings/settings-db.ts";

/** The notification rules of a scope. */
export interface NotificationScope {
  readonly notifications: NotificationRepository;
}

/** The notifications of all scopes. */
export interface NotificationStore {
  readonly notifications: NotificationDirectory;
}

/** The notification rules of one scope. */
export interface NotificationRepository {
  /** The oldest first. */
  list(): Promise<readonly NotificationRule[]>;
  find(id: string): Promise<NotificationRule | null>;
  /** Null when there are as many as an organization may have. */
  create(rule: WrittenRule): Promise<NotificationRule | null>;
  /**
   * Replaces a rule and the given secrets, and deletes the secrets of channels that it no longer has. Null when there
   * is no such rule.
   */
  replace(id: string, rule: WrittenRule): Promise<NotificationRule | null>;
  /** With its deliveries and its secrets; true when this call removed it. */
  remove(id: string): Promise<boolean>;
  /** The key that signs the webhook's messages, or the credential of another channel. */
  secret(id: string, channel: SecretChannel): Promise<string | null>;
  /** The newest first. */
  deliveries(id: string, limit: number): Promise<readonly NotificationDelivery[]>;
  /** Queues a `test` message to each recipient, even if the rule is off; false when there is no such rule. */
  test(id: string, now: Date): Promise<boolean>;
  /** The contents of a summary: how many incidents were held back, and the first of them. */
  heldBack(summary: Pick<TakenDelivery, "ruleId" | "occasion">, max: number): Promise<HeldBack>;
}

/** The channels of a rule that have a secret. */
export type SecretChannel = Exclude<NotificationChannel, "email">;

/** A rule to store. Its secrets are encrypted at rest. */
export interface WrittenRule {
  readonly change: NotificationRuleChoice;
  readonly secrets: Readonly<Partial<Record<SecretChannel, string>>>;
  readonly by: Person;
  readonly now: Date;
}

export interface HeldBack {
  readonly count: number;
  readonly first: readonly Pick<
    NonNullable<Notification["incident"]>,
    "id" | "title" | "severity" | "service" | "env"
  >[];
}

/**
 * An event of an incident that rules may announce, in scopes with an enabled rule. Written in the transaction that
 * opens or ends the incident.
 */
export interface NotificationOccasion {
  readonly id: string;
  readonly scopeId: string;
  readonly incidentId: string;
  /**
   * `corrected`: a later report names another cause. `resolved`: someone resolved it, or the alert that it opened for is.
   * `returned`: its failure came back after that, or is no longer muted.
   */
  readonly kind: "opened" | "completed" | "corrected" | "failed" | "resolved" | "returned";
}

/** The messages to send, of all scopes. Any number of processes may send them. */
export interface NotificationDirectory {
  /** The occasions that are due, the oldest first. */
  occasions(now: Date, max: number): Promise<readonly NotificationOccasion[]>;
  /**
   * Writes a delivery for each recipient of each rule, and deletes the occasion. A rule announces each occasion of an
   * incident once, even if it is planned again. Messages beyond a rule's hourly limit, or during its quiet hours, are
   * held back. A resolution goes to the pagers in which a rule opened an alert; while an alert may still be opened, it
   * waits.
   */
  plan(occasion: NotificationOccasion, matched: readonly MatchedRule[], now: Date): Promise<void>;
  /** Writes summaries of what was held back until now, for at most `max` rules; returns how many rules had one. */
  summarise(now: Date, max: number): Promise<number>;
  /**
   * Takes deliveries that are due, scope by scope in turn, the longest waiting first. All processes together hold at
   * most `perScopeMax` of a scope. A delivery is due again after `holdMs`, in case the process that took it dies.
   */
  take(now: Date, bounds: TakingBounds): Promise<readonly TakenDelivery[]>;
  /** Records the outcome of an attempt; false when a later one has the delivery, or it is settled. */
  settle(taken: TakenDelivery, outcome: DeliveryOutcome, now: Date): Promise<boolean>;
  /**
   * Removes at most `max` deliveries settled before then, and what was held back and summarized. Returns how many
   * deliveries.
   */
  forget(before: Date, max: number): Promise<number>;
}

export interface MatchedRule {
  readonly ruleId: string;
  readonly type: NotificationType;
  /** Of the incident. */
  readonly severity: Severity;
  /** The channels that are left out, because they will get another message about the incident. */
  readonly without: readonly NotificationChannel[];
}

export interface TakenDelivery {
  readonly id: string;
  readonly scopeId: string;
  readonly ruleId: string;
  readonly occasion: string;
  readonly type: NotificationType;
  readonly incidentId: string | null;
  readonly channel: NotificationChannel;
  readonly recipient: string;
  readonly createdAt: string;
  readonly heldBackUntil: string | null;
  /** The number of this attempt, from 1. Only the latest may write. */
  readonly attempt: number;
}

export type DeliveryOutcome =
  | { readonly state: "sent"; readonly reason: string | null }
  | { readonly state: "given_up"; readonly reason: string }
  | { readonly state: "waiting"; readonly reason: string; readonly nextAttemptAt: Date };
