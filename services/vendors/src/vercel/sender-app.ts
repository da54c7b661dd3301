import { z } from "zod";
import type { SenderApp } from "../alert-senders/sender-app.ts";
import { vercel } from "./alert-sender.ts";

const idSchema = z.object({ id: z.string().min(1) }).nullish();

/** https://vercel.com/docs/webhooks/webhooks-api#integration-configuration.removed */
const vercelSchema = z.object({
  type: z.string(),
  payload: z.object({ team: idSchema, configuration: idSchema }),
});

/** The Vercel integration that the operator registered. */
export const vercelApp: SenderApp = {
  sender: vercel,
  integration: "hosting",
  installedInput: "team_id",
  secretOf: ({ vercel: app }) => app?.clientSecret,
  addresseeOf(body) {
    const { data } = vercelSchema.safeParse(body);
    const isRemoval = data?.type === "integration-configuration.removed";
    const named = isRemoval ? data.payload.configuration : data?.payload.team;
    return named ? { name: isRemoval ? "configuration_id" : "team_id", value: named.id } : null;
  },
  installationOf: () => null,
};
