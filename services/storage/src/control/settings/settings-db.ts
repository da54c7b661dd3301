import type { Instructions, Integration, IntegrationKindName } from "@whence/protocol";

/** The instructions of a scope. */
export interface InstructionsScope {
  readonly instructions: InstructionsRepository;
}

/** The third parties that a scope has connected. */
export interface IntegrationScope {
  readonly integrations: IntegrationRepository;
}

/** The third parties that all scopes have connected. */
export interface IntegrationStore {
  readonly integrations: IntegrationDirectory;
}

/** A person who did something, with their name at that time. */
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

/** How a vendor answered. */
export interface IntegrationOutcome {
  /** Why it gave nothing; null when it answered. */
  readonly failure: string | null;
  /** How many findings it gave. */
  readonly findings: number;
  /** What the credentials belong to, when that is what it was asked. */
  readonly belongsTo?: string;
  readonly now: Date;
}

/** The right to renew an integration's credentials, which one caller has at a time. */
export interface CredentialRenewal {
  /** The credentials as they are now: another caller may have renewed them before. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Replaces the credentials, and gives the right back. False when the kind was connected again or disconnected since. */
  keep(credentials: Readonly<Record<string, string>>, now: Date): Promise<boolean>;
  /** Gives the right back without renewing. */
  release(): Promise<void>;
}

/**
 * Third parties that a scope has connected, with encrypted credentials. All but `list` are about the connection of a
 * kind that has no name, or, in {@link IntegrationRepository.named}, about the one that has that name.
 */
export interface IntegrationRepository {
  /** All of them, whatever their names. */
  list(): Promise<readonly Integration[]>;
  /** The connections with this name; the empty one is no name. */
  named(name: string): IntegrationRepository;
  /**
   * Replaces what was connected of the kind, once its vendor has said what the credentials belong to. `credentials` and
   * `inputs` by the names of the kind's inputs.
   */
  connect(connection: {
    kind: IntegrationKindName;
    vendor: string;
    belongsTo: string;
    inputs: Readonly<Record<string, string>>;
    credentials: Readonly<Record<string, string>>;
    by: Person;
    now: Date;
  }): Promise<Integration>;
  /** The inputs together with the credentials; null when the kind is not connected. */
  credentials(kind: IntegrationKindName): Promise<Readonly<Record<string, string>> | null>;
  /** Replaces what is entered and shown, and leaves the credentials; null when the kind isn't connected. */
  changeInputs(kind: IntegrationKindName, inputs: Readonly<Record<string, string>>): Promise<Integration | null>;
  /** Gives it another name, with its credentials. `taken`: another connection of the kind has that name. */
  rename(kind: IntegrationKindName, name: string, now: Date): Promise<Integration | "taken" | null>;
  /**
   * Takes the right to renew the credentials, across all processes, until `until` at most. Null while another has it, and
   * when the kind isn't connected.
   */
  takeRenewal(kind: IntegrationKindName, lease: { now: Date; until: Date }): Promise<CredentialRenewal | null>;
  /** Notes how the vendor answered; nothing when the kind isn't connected. */
  noteOutcome(kind: IntegrationKindName, outcome: IntegrationOutcome): Promise<void>;
  /** True when this call removed it, with its credentials. */
  disconnect(kind: IntegrationKindName): Promise<boolean>;
}

/** Connections of all scopes, for a webhook that says no more than what was installed. */
export interface IntegrationDirectory {
  /** The scopes whose connection without a name has this input, and who connected it. */
  connectedWith(
    kind: IntegrationKindName,
    input: { readonly name: string; readonly value: string },
  ): Promise<readonly { readonly scopeId: string; readonly by: Person }[]>;
}
