import { z } from "zod";
import type { SenderApp } from "../alert-senders/sender-app.ts";
import { sentry } from "./alert-sender.ts";

const text = z.string().min(1);

/** https://docs.sentry.io/integrations/integration-platform/webhooks/installation/ */
const sentrySchema = z.object({
  action: z.string(),
  installation: z.object({ uuid: text }).nullish(),
  data: z.object({ installation: z.object({ uuid: text, organization: z.object({ slug: text }) }).nullish() }),
});

/** The public Sentry integration that the operator registered. */
export const sentryApp: SenderApp = {
  sender: sentry,
  integration: "error-tracker",
  installedInput: "installation",
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
