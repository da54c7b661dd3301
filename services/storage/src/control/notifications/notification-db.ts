import type {
  Notification,
  NotificationChannel,
  NotificationDelivery,
  NotificationRule,
  NotificationRuleChoice,
  NotificationType,
  Severity,
} from "@whence/protocol";
import type { TakingBounds } from "../investigations/taken-in-turn.ts";
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
  /** Replaces what was chosen, and the secrets that are given; those of channels it no longer has go. Null when there is no such rule. */
  replace(id: string, rule: WrittenRule): Promise<NotificationRule | null>;
  /** With its deliveries and its secrets; true when this call removed it. */
  remove(id: string): Promise<boolean>;
  /** What the messages of its webhook are signed with, or what opens another channel. */
  secret(id: string, channel: SecretChannel): Promise<string | null>;
  /** The newest first. */
  deliveries(id: string, limit: number): Promise<readonly NotificationDelivery[]>;
  /** A message of type `test` to each recipient, also of a rule that is off; false when there is no such rule. */
  test(id: string, now: Date): Promise<boolean>;
  /** The contents of a summary: how many incidents were held back, and the first of them. */
  heldBack(summary: Pick<TakenDelivery, "ruleId" | "occasion">, max: number): Promise<HeldBack>;
}

/** The channels of a rule that have a secret. */
export type SecretChannel = Exclude<NotificationChannel, "email">;

/** What is written of a rule. Its secrets are encrypted at rest. */
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
 * What happened to incidents of scopes that have a rule which is on: written in the transaction that opens or ends the
 * incident, so that neither is there without the other.
 */
export interface NotificationOccasion {
  readonly id: string;
  readonly scopeId: string;
  readonly incidentId: string;
  /** `corrected`: a later report names another cause. `resolved`: the alert that it opened for is. */
  readonly kind: "opened" | "completed" | "corrected" | "failed" | "resolved";
}

/** What there is to send, of all scopes. Any number of processes may send, for any organization. */
export interface NotificationDirectory {
  /** The oldest that is due. */
  occasions(now: Date, max: number): Promise<readonly NotificationOccasion[]>;
  /**
   * Writes a delivery for each recipient of each of the rules, and forgets the occasion. A rule announces an incident's
   * occasion once, however often it is planned. What exceeds a rule's messages per hour, or occurs during its quiet hours,
   * is held back. A resolution goes to the pagers in which a rule opened an alert; while one may still be opened, it waits.
   */
  plan(occasion: NotificationOccasion, matched: readonly MatchedRule[], now: Date): Promise<void>;
  /** Writes the summaries of what was held back until now, of `max` rules at most; how many rules had one. */
  summarise(now: Date, max: number): Promise<number>;
  /**
   * Takes deliveries that are due, each scope in its turn, the longest waiting first. Of one scope no more than
   * `perScopeMax` are in hand, by all processes together. A taken one comes again after `holdMs`, so that a process
   * which dies loses nothing.
   */
  take(now: Date, bounds: TakingBounds): Promise<readonly TakenDelivery[]>;
  /** Writes what became of the attempt; false when a later one has it, or it is settled. */
  settle(taken: TakenDelivery, outcome: DeliveryOutcome, now: Date): Promise<boolean>;
  /** Forgets what was settled before then, `max` deliveries at most, and what was held back and summarized. Returns how many deliveries. */
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
  /** Which attempt this is, from 1: fences off the others. */
  readonly attempt: number;
}

export type DeliveryOutcome =
  | { readonly state: "sent"; readonly reason: string | null }
  | { readonly state: "given_up"; readonly reason: string }
  | { readonly state: "waiting"; readonly reason: string; readonly nextAttemptAt: Date };
