import type { AlertSourceKind, IntegrationKindName } from "@whence/protocol";
import { z } from "zod";
import type { IntegrationApplications } from "../../integrations/authorization/applications.ts";

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

const text = z.string().min(1);
const idSchema = z.object({ id: text }).nullish();

/** https://vercel.com/docs/webhooks/webhooks-api#integration-configuration.removed */
const vercelSchema = z.object({
  type: z.string(),
  payload: z.object({ team: idSchema, configuration: idSchema }),
});

/** https://docs.sentry.io/integrations/integration-platform/webhooks/installation/ */
const sentrySchema = z.object({
  action: z.string(),
  installation: z.object({ uuid: text }).nullish(),
  data: z.object({ installation: z.object({ uuid: text, organization: z.object({ slug: text }) }).nullish() }),
});

const vercelApp: SenderApp = {
  ...{ kind: "vercel", integration: "hosting", installedInput: "team_id" },
  secretOf: ({ vercel }) => vercel?.clientSecret,
  addresseeOf(body) {
    const { data } = vercelSchema.safeParse(body);
    const isRemoval = data?.type === "integration-configuration.removed";
    const named = isRemoval ? data.payload.configuration : data?.payload.team;
    return named ? { name: isRemoval ? "configuration_id" : "team_id", value: named.id } : null;
  },
  installationOf: () => null,
};

const sentryApp: SenderApp = {
  ...{ kind: "sentry", integration: "error-tracker", installedInput: "installation" },
  secretOf: ({ sentryApp: app }) => app?.clientSecret,
  addresseeOf(body) {
    const { data: hook } = sentrySchema.safeParse(body);
    const installed = hook?.data.installation;
    if (installed && hook.action === "created") {
      return { name: "organization_slug", value: installed.organization.slug };
    }
    const uuid = hook?.installation?.uuid ?? installed?.uuid;
    return uuid === undefined ? null : { name: "installation", value: uuid };
  },
  installationOf(body) {
    const { data: hook } = sentrySchema.safeParse(body);
    return hook?.action === "created" ? (hook.data.installation?.uuid ?? null) : null;
  },
};

/** Every application that can be installed at a sender. */
export const senderApps: readonly SenderApp[] = [sentryApp, vercelApp];
