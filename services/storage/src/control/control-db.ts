import type { AccountStore, AgentStore, KeyStore, OrganizationStore } from "./access/access-db.ts";
import type { ErasureStore } from "./access/erasure-db.ts";
import type { FeedbackScope, PredictionStore } from "./accuracy/accuracy-db.ts";
import type { AlertScope, AlertSourceStore } from "./alerts/alert-db.ts";
import type { ArtifactScope } from "./artifacts/artifact-db.ts";
import type { AuditScope, AuditStore } from "./audit/audit-db.ts";
import type { BackupStore, ExportScope } from "./backup/backup-db.ts";
import type { ConversationScope, ConversationStore } from "./conversations/conversation-db.ts";
import type { FailureScope } from "./failures/failure-db.ts";
import type { LivenessStore } from "./failures/liveness-db.ts";
import type { IncidentScope } from "./incidents/incident-db.ts";
import type { OutboxStore } from "./investigations/outbox-db.ts";
import type { RefinementStore } from "./investigations/refinement-db.ts";
import type { LifecycleScope } from "./lifecycle/lifecycle-db.ts";
import type { MergeScope } from "./merges/merge-db.ts";
import type { ModelScope, ModelStore } from "./models/model-db.ts";
import type { MonitorScope, MonitorStore } from "./monitors/monitor-db.ts";
import type { NotificationScope, NotificationStore } from "./notifications/notification-db.ts";
import type { OwnershipScope } from "./ownership/ownership-db.ts";
import type { PlaceWatchScope } from "./place-watches/place-watch-db.ts";
import type { ReleaseScope, ReleaseStore } from "./releases/release-db.ts";
import type { SecretScope, SecretStore } from "./settings/secret-db.ts";
import type { InstructionsScope, IntegrationScope, IntegrationStore } from "./settings/settings-db.ts";
import type { ShareScope, ShareStore } from "./shares/share-db.ts";
import type { SentSourceScope, SourceScope, SourceStore } from "./sources/source-db.ts";
import type { ViewScope } from "./views/view-db.ts";

/**
 * Access to the rows of one owner, an organization or an unclaimed agent, by its id. Every query is limited to that
 * owner. `Part` is what the caller uses of {@link Scope}.
 */
export interface Scoped<Part> {
  scope(scopeId: string): Part;
}

/** Everything that one organization, or one unclaimed agent, owns. */
export interface Scope
  extends IncidentScope,
    FailureScope,
    LifecycleScope,
    MergeScope,
    OwnershipScope,
    ShareScope,
    PlaceWatchScope,
    ViewScope,
    FeedbackScope,
    SourceScope,
    SentSourceScope,
    ArtifactScope,
    ReleaseScope,
    AlertScope,
    MonitorScope,
    ConversationScope,
    NotificationScope,
    InstructionsScope,
    IntegrationScope,
    ModelScope,
    SecretScope,
    AuditScope,
    ExportScope {}

/**
 * The control database: everything but telemetry. A *scope* owns rows: an organization, or an unclaimed agent. Access
 * outside of {@link Scoped.scope} is for what comes before the scope is known (key lookup) and for work on all scopes
 * (the outbox). Consumers take the parts that they use.
 */
export interface ControlDb
  extends Scoped<Scope>,
    KeyStore,
    AgentStore,
    OrganizationStore,
    AccountStore,
    ErasureStore,
    ShareStore,
    OutboxStore,
    RefinementStore,
    PredictionStore,
    NotificationStore,
    ConversationStore,
    AlertSourceStore,
    MonitorStore,
    IntegrationStore,
    ModelStore,
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

/** A database that may be unavailable. */
export interface Reachable {
  /** Resolves if the database answers; rejects with `WHENCE_ERR_CONTROL_UNAVAILABLE` otherwise. */
  check(): Promise<void>;
}

/** The removal of what has expired. */
export interface Upkeep {
  /**
   * Removes at most `max` things that expired before the moment and returns how many it removed: unclaimed agents with
   * everything they own, sessions, and counts of password attempts. Works in small steps; several processes may run it
   * at once.
   */
  sweep(expiredBefore: Date, max: number): Promise<number>;
  /**
   * Removes at most `max` inputs of analyses older than their organization's retention, `retentionDays` by default, and
   * returns how many it removed. Unfinished incidents keep theirs.
   */
  expireInputs(which: { now: Date; retentionDays: number; max: number }): Promise<number>;
  /** Returns freed space to the disk. PostgreSQL does that on its own. */
  reclaim(): Promise<void>;
}
