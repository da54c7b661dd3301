import type { Alert, AlertSource, Severity } from "@whence/protocol";
import type { Allowance } from "../access/allowance.ts";
import type { NewIncident, StoredIncident } from "../incidents/incident-db.ts";
import type { Person } from "../settings/settings-db.ts";

/** The alert sources of a scope, and their alerts. */
export interface AlertScope {
  readonly alertSources: AlertSourceRepository;
  readonly alerts: AlertRepository;
}

/** The alert sources of all scopes. */
export interface AlertSourceStore {
  readonly alertSources: AlertSourceDirectory;
}

/** The senders of webhooks that a scope lets announce failures. Their secrets are encrypted at rest. */
export interface AlertSourceRepository {
  /** `inputs` and `secrets` by the names of the kind's inputs. */
  add(source: {
    kind: string;
    name: string;
    inputs: Readonly<Record<string, string>>;
    secrets: Readonly<Record<string, string>>;
    by: Person;
    now: Date;
  }): Promise<StoredAlertSource>;
  /** Replaces the inputs and secrets. Null when there is no such source. */
  enter(
    id: string,
    entered: {
      inputs: Readonly<Record<string, string>>;
      secrets: Readonly<Record<string, string>>;
      now: Date;
    },
  ): Promise<StoredAlertSource | null>;
  /** Sets whether the source's bot also answers where people from outside read; null when there is no such source. */
  answerPublicly(id: string, answersPublicly: boolean): Promise<StoredAlertSource | null>;
  /** The oldest first. */
  list(): Promise<readonly StoredAlertSource[]>;
  find(id: string): Promise<StoredAlertSource | null>;
  /** Records that a webhook was handled, with its number of alerts, or why it failed. */
  note(id: string, outcome: { readonly alerts: number } | { readonly failure: string }, now: Date): Promise<void>;
  /** Deletes the secrets except those named in `kept`, and records why. */
  forgetSecrets(id: string, kept: readonly string[], reason: string, now: Date): Promise<void>;
  /**
   * Removes a source with its secrets, alerts and conversations, and returns it; null when there is none. Incidents
   * stay.
   */
  remove(id: string): Promise<StoredAlertSource | null>;
}

/** A source without what its address and its sender tell, and with what it has. */
export interface StoredAlertSource extends Omit<AlertSource, "url" | "setup" | "has_conversations" | "missing"> {
  /** Names of the inputs that have a value, secret ones too. */
  readonly known: readonly string[];
}

/** The alert sources of all scopes, for webhooks, which name a source by its id only. */
export interface AlertSourceDirectory {
  /** Returns a source with its decrypted secrets; null when there is none. */
  find(id: string): Promise<KnownAlertSource | null>;
  /** All sources of a kind that have their secrets, decrypted, for kinds that keep a connection open. */
  ofKind(kind: string): Promise<readonly KnownAlertSource[]>;
}

export interface KnownAlertSource {
  readonly id: string;
  readonly scopeId: string;
  readonly kind: string;
  readonly inputs: Readonly<Record<string, string>>;
  /** Whether its bot also answers where people from outside of the organization read. */
  readonly answersPublicly: boolean;
}

/** The identity of an alert. A source uses one `key` in everything it sends about a failure. */
export interface AlertName {
  readonly sourceId: string;
  readonly key: string;
}

/** The alerts of the scope's sources. */
export interface AlertRepository {
  /**
   * Stores an alert together with its incident. A new incident opens in the same transaction; an existing one gets at
   * least the alert's severity, and rules that wait for that severity notify. Null for a known alert: one announced
   * within `forgottenAfterMs` and not resolved before it fired. Beyond the source's allowance, the alert is counted as
   * withheld and stays unknown, so a later announcement opens an incident.
   */
  open(
    alert: NewAlert,
    incident: { readonly id: string } | NewIncident,
  ): Promise<StoredIncident | "noted" | "withheld" | null>;
  /**
   * Resolves an alert. False when it isn't known: its announcement may arrive later, so the newest `resolutionsMax`
   * such resolutions of a source are kept for `forgottenAfterMs`, and an alert that fired no later than its resolution
   * counts as known.
   */
  resolve(alert: ResolvedAlert): Promise<boolean>;
  /** The latest of a source first, of those that have an incident. */
  list(sourceId: string, limit: number): Promise<readonly Alert[]>;
  /** The alerts of an incident, of every source, the latest first. */
  ofIncident(incidentId: string, limit: number): Promise<readonly IncidentAlert[]>;
}

/** An alert that an incident opened for, or that belongs to it. */
export interface IncidentAlert extends Pick<Alert, "title" | "url" | "fired_at" | "resolved_at"> {
  readonly sourceId: string;
  readonly runbook_url: string | null;
}

interface AnnouncedAlert extends AlertName {
  readonly title: string;
  readonly url: string | null;
  readonly now: Date;
  readonly forgottenAfterMs: number;
}

export interface ResolvedAlert extends AnnouncedAlert {
  /** When the failure ended or, if its sender doesn't say, began. RFC 3339. */
  readonly at: string;
  readonly resolutionsMax: number;
}

export interface NewAlert extends AnnouncedAlert {
  /** RFC 3339. */
  readonly firedAt: string;
  /** Null or absent when its sender names none. */
  readonly severity?: Severity | null;
  /** The page that says what to do about it; null or absent when its sender links none. */
  readonly runbookUrl?: string | null;
  /** Incidents that its source may open, or for an alert of a monitor, all monitors of the scope together. */
  readonly allowance: Allowance;
  readonly isOfMonitor?: boolean;
}
