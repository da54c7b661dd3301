import type { AccountStore, AgentStore, KeyStore, OrganizationStore } from "./access/access-db.ts";
import type { ErasureStore } from "./access/erasure-db.ts";
import type { FeedbackScope, PredictionStore } from "./accuracy/accuracy-db.ts";
import type { AlertScope, AlertSourceStore } from "./alerts/alert-db.ts";
import type { AuditScope, AuditStore } from "./audit/audit-db.ts";
import type { BackupStore, ExportScope } from "./backup/backup-db.ts";
import type { ConversationScope, ConversationStore } from "./conversations/conversation-db.ts";
import type { FailureScope } from "./failures/failure-db.ts";
import type { LivenessStore } from "./failures/liveness-db.ts";
import type { IncidentScope } from "./incidents/incident-db.ts";
import type { OutboxStore } from "./investigations/outbox-db.ts";
import type { RefinementStore } from "./investigations/refinement-db.ts";
import type { NotificationScope, NotificationStore } from "./notifications/notification-db.ts";
import type { ReleaseScope, ReleaseStore } from "./releases/release-db.ts";
import type { SecretScope, SecretStore } from "./settings/secret-db.ts";
import type { InstructionsScope, IntegrationScope, IntegrationStore } from "./settings/settings-db.ts";
import type { SourceScope, SourceStore } from "./sources/source-db.ts";

/**
 * Rows that have an owner, an organization or an unclaimed agent, reached through its id alone: no query forgets whose rows
 * it reads. `Part` is what the caller needs of {@link Scope}.
 */
export interface Scoped<Part> {
  scope(scopeId: string): Part;
}

/** Everything that one organization, or one unclaimed agent, owns. */
export interface Scope
  extends IncidentScope,
    FailureScope,
    FeedbackScope,
    SourceScope,
    ReleaseScope,
    AlertScope,
    ConversationScope,
    NotificationScope,
    InstructionsScope,
    IntegrationScope,
    SecretScope,
    AuditScope,
    ExportScope {}

/**
 * The control database: everything but telemetry. A *scope* owns rows: an organization, or an unclaimed agent. What isn't
 * reached through {@link Scoped.scope} is either needed before the scope is known (whose key is this?), or serves all of
 * them (the outbox). Consumers take the parts that they use.
 */
export interface ControlDb
  extends Scoped<Scope>,
    KeyStore,
    AgentStore,
    OrganizationStore,
    AccountStore,
    ErasureStore,
    OutboxStore,
    RefinementStore,
    PredictionStore,
    NotificationStore,
    ConversationStore,
    AlertSourceStore,
    IntegrationStore,
    SourceStore,
    ReleaseStore,
    LivenessStore,
    SecretStore,
    AuditStore,
    BackupStore,
    Reachable,
    Upkeep {
  close(): Promise<void>;
}

/** A database that may be out of reach. */
export interface Reachable {
  /** Resolves when the database answers now; rejects with `WHENCE_ERR_CONTROL_UNAVAILABLE`. */
  check(): Promise<void>;
}

/** The removal of what has expired. */
export interface Upkeep {
  /**
   * Removes what expired before the moment, `max` of it at most, and returns how much that was: unclaimed agents with
   * all that they own, sessions of people, and counts of attempts at passwords. In small steps beside whatever runs; several processes may do it at once.
   */
  sweep(expiredBefore: Date, max: number): Promise<number>;
  /**
   * Removes the inputs of analyses that are older than their organization keeps things, or else `retentionDays`, `max` of
   * them at most, and returns how many that was. Incidents that have not ended keep theirs.
   */
  expireInputs(which: { now: Date; retentionDays: number; max: number }): Promise<number>;
  /** Gives the disk what was removed; PostgreSQL does so on its own. */
  reclaim(): Promise<void>;
}
