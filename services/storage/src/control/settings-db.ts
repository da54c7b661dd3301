import type { AuditAction, AuditEntry, Instructions, Integration, IntegrationKindName } from "@whence/protocol";

/** Who did something, by the name they had then. */
export interface Person {
  readonly id: string;
  readonly name: string;
}

/** What an organization wants every analysis to know. */
export interface InstructionsRepository {
  /** The latest version; version 0 before the first. */
  read(): Promise<Instructions>;
  /**
   * Stores the next version after `version`; null when that is no longer the latest. Keeps the newest hundred versions.
   */
  write(change: { text: string; version: number; by: Person; now: Date }): Promise<Instructions | null>;
  /** The newest first. */
  history(): Promise<readonly Instructions[]>;
}

/** Third parties that a scope has connected, one of a kind. Their credentials are encrypted at rest. */
export interface IntegrationRepository {
  list(): Promise<readonly Integration[]>;
  /** Replaces what was connected of the kind. `credentials` and `inputs` by the names of the kind's inputs. */
  connect(connection: {
    kind: IntegrationKindName;
    inputs: Readonly<Record<string, string>>;
    credentials: Readonly<Record<string, string>>;
    by: Person;
    now: Date;
  }): Promise<Integration>;
  /** The inputs together with the credentials; null when the kind is not connected. */
  credentials(kind: IntegrationKindName): Promise<Readonly<Record<string, string>> | null>;
  /** True when this call removed it, with its credentials. */
  disconnect(kind: IntegrationKindName): Promise<boolean>;
}

/** Who changed what in a scope. */
export interface AuditLog {
  record(entry: { action: AuditAction; target: string; by: Person; now: Date }): Promise<void>;
  /** Newest first; `before` is the id of the last one of the page before. */
  list(page: { limit: number; before?: string | undefined }): Promise<readonly AuditEntry[]>;
}
