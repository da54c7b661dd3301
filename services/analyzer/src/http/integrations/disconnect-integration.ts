import { connectionTitle, type IntegrationKindName, integrationKinds } from "@whence/protocol";
import type { FastifyBaseLogger } from "fastify";
import { analyzerErrors } from "../../errors.ts";
import type { Member } from "../../identity/identity.ts";
import { endAuthorization } from "../../integrations/authorization/authorize.ts";
import { removeInstalledSource } from "../../webhooks/installed-source.ts";
import { recordChange } from "../accounts/audit.ts";
import type { HttpContext } from "../context.ts";

interface Disconnecting {
  readonly kind: IntegrationKindName;
  readonly name: string;
  readonly log: Pick<FastifyBaseLogger, "warn">;
}

/**
 * Disconnects one connection of a kind, with the source of an installed application, and revokes its authorization.
 * Returns whether the vendor revoked it; null when there was nothing to revoke. Throws `WHENCE_ERR_INTEGRATION_NOT_CONNECTED`.
 */
export async function disconnectIntegration(
  context: HttpContext,
  owner: Member,
  { kind, name, log }: Disconnecting,
): Promise<boolean | null> {
  const { integrations: all, alertSources } = context.control.scope(owner.organizationId);
  const integrations = all.named(name);
  const connection = await integrations.credentials(kind);
  const connected = (await integrations.list()).find((one) => one.kind === kind && one.name === name);
  if (!(await integrations.disconnect(kind))) {
    throw analyzerErrors.create("WHENCE_ERR_INTEGRATION_NOT_CONNECTED", [kind]);
  }
  if (name === "") await removeInstalledSource({ alertSources }, kind);
  const title = connected ? connectionTitle(connected) : integrationKinds[kind].label;
  await recordChange(context, owner, "integration.disconnected", title);
  return endAuthorization(kind, connection ?? {}, context.integrations).catch((error: unknown) => {
    log.warn({ err: error, kind }, "an authorization was not revoked");
    return false;
  });
}
