import type { Alert, AlertSource, AlertSourceKind } from "@whence/protocol";
import type { Allowance } from "../access/allowance.ts";
import type { NewIncident, StoredIncident } from "../incidents/incident-db.ts";
import type { Person } from "../settings/settings-db.ts";

/** The alert sources of a scope, and what they announced. */
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
    kind: AlertSourceKind;
    name: string;
    inputs: Readonly<Record<string, string>>;
    secrets: Readonly<Record<string, string>>;
    by: Person;
    now: Date;
  }): Promise<StoredAlertSource>;
  /** Replaces all that was entered and made; null when there is no such source. */
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
  /** Notes that a webhook was handled, with how many failures it announced, or why it couldn't be. */
  note(id: string, outcome: { readonly alerts: number } | { readonly failure: string }, now: Date): Promise<void>;
  /** Deletes the secrets that were entered, and notes why: what was made stays. */
  forgetEntered(id: string, reason: string, now: Date): Promise<void>;
  /** Removes the source with its secrets, alerts, and conversations; their incidents stay. The removed one, or null. */
  remove(id: string): Promise<StoredAlertSource | null>;
}

/** A source without what only the HTTP interface knows: its address, and whether its vendor has conversations. */
export type StoredAlertSource = Omit<AlertSource, "url" | "has_conversations">;

/** Sources of all scopes, for a webhook that says no more than an id. */
export interface AlertSourceDirectory {
  /** With its secrets in clear; null when there is none. */
  find(id: string): Promise<KnownAlertSource | null>;
  /** All of a kind, with their secrets, for connections that they have open; without those whose secrets weren't entered. */
  ofKind(kind: AlertSourceKind): Promise<readonly KnownAlertSource[]>;
}

export interface KnownAlertSource {
  readonly id: string;
  readonly scopeId: string;
  readonly kind: AlertSourceKind;
  readonly inputs: Readonly<Record<string, string>>;
  /** Whether its bot also answers where people from outside of the organization read. */
  readonly answersPublicly: boolean;
}

/** Names an alert: a source sends the same key in everything that it sends about one failure. */
export interface AlertName {
  readonly sourceId: string;
  readonly key: string;
}

/** The failures that the scope's sources announced. */
export interface AlertRepository {
  /**
   * Notes an alert, with the incident that it belongs to, or a new one that opens for it in the same transaction. Null when
   * it was known: announced within the last `forgottenAfterMs`, and not resolved before it fired. When its source has used
   * up the allowance, the alert is counted as withheld and stays unknown, so that it opens an incident if it is announced
   * later.
   */
  open(
    alert: NewAlert,
    incident: { readonly id: string } | NewIncident,
  ): Promise<StoredIncident | "noted" | "withheld" | null>;
  /**
   * Notes that the failure is over. When the alert isn't known, its announcement may still be on its way: the newest
   * `resolutionsMax` such ends of a source are remembered for `forgottenAfterMs`, and an alert that fired no later than one
   * of them counts as known. False then.
   */
  resolve(alert: ResolvedAlert): Promise<boolean>;
  /** The latest of a source first, of those that have an incident. */
  list(sourceId: string, limit: number): Promise<readonly Alert[]>;
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
  /** Incidents that its source may open. */
  readonly allowance: Allowance;
}
