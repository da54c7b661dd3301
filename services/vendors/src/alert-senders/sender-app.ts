import type { AlertSourceKind, IntegrationKindName } from "@whence/protocol";
import type { IntegrationApplications } from "../applications.ts";

/** An input of the connections that a webhook is for. */
export interface Addressee {
  readonly name: string;
  readonly value: string;
}

/** An application of the operator's, which sends the webhooks of all who installed it to one address. */
export interface SenderApp {
  readonly kind: AlertSourceKind;
  /** What is connected by installing it. */
  readonly integration: IntegrationKindName;
  /** The input of a connection that names what was installed. */
  readonly installedInput: string;
  /** What signs its webhooks; undefined when the operator registered none. */
  secretOf(applications: IntegrationApplications): string | undefined;
  /** Whose webhook it is; null when it doesn't say so. */
  addresseeOf(body: unknown): Addressee | null;
  /** What a connection keeps as `installedInput` of the webhook of an installation; null for any other webhook. */
  installationOf(body: unknown): string | null;
}
