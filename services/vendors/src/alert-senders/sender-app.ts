import type { IntegrationKindName } from "@whence/protocol";
import type { IntegrationApplications } from "../applications.ts";
import type { AlertSender } from "./alert-sender.ts";

/** The input that identifies the connections a webhook is for. */
export interface Addressee {
  readonly name: string;
  readonly value: string;
}

/** An application of the operator's, which sends the webhooks of everyone who installed it to one address. */
export interface SenderApp {
  /** The sender of its webhooks. */
  readonly sender: AlertSender;
  /** The kind that is connected by installing it. */
  readonly integration: IntegrationKindName;
  /** The input of a connection that identifies the installation. */
  readonly installedInput: string;
  /** Returns the secret that signs its webhooks; undefined when the operator registered none. */
  secretOf(applications: IntegrationApplications): string | undefined;
  /** Returns whom the webhook is for; null when it doesn't say so. */
  addresseeOf(body: unknown): Addressee | null;
  /** Returns what a connection stores as `installedInput` from an installation webhook; null for any other webhook. */
  installationOf(body: unknown): string | null;
}
