import { type IntegrationKindName, installationInput } from "@whence/protocol";
import type { ControlDb, KnownAlertSource, Scope } from "@whence/storage";
import { type Addressee, type IntegrationApplications, type SenderApp, senderApps } from "@whence/vendors";

interface InstallingContext {
  readonly control: Pick<ControlDb, "scope">;
  readonly clock: () => number;
  readonly integrations: { readonly applications?: IntegrationApplications };
}

/**
 * Gives a newly connected kind the source of the application that was installed with it, replacing the previous one; no
 * source when nothing was installed.
 */
export async function renewInstalledSource(
  { control, clock, integrations: { applications = {} } }: InstallingContext,
  scopeId: string,
  integration: IntegrationKindName,
): Promise<void> {
  const app = senderApps.find((one) => one.integration === integration);
  if (app?.secretOf(applications) === undefined) return;
  const { integrations, alertSources } = control.scope(scopeId);
  await removeInstalledSource({ alertSources }, integration);
  const connection = (await integrations.list()).find(({ kind, name }) => kind === integration && name === "");
  const named = connection?.inputs[app.installedInput];
  if (!connection || named === undefined) return;
  await alertSources.add({
    kind: app.sender.kind,
    name: connection.belongs_to || app.sender.label,
    inputs: { [installationInput]: named },
    secrets: {},
    by: connection.connected_by,
    now: new Date(clock()),
  });
}

/** Removes the source of an installed application together with its connection. */
export async function removeInstalledSource(
  { alertSources }: Pick<Scope, "alertSources">,
  integration: IntegrationKindName,
): Promise<void> {
  const app = senderApps.find((one) => one.integration === integration);
  for (const { id, kind, inputs } of await alertSources.list()) {
    if (kind === app?.sender.kind && installationInput in inputs) await alertSources.remove(id);
  }
}

/** Returns the sources of everyone who connected what an application's webhook names. */
export async function installedSources(
  control: Pick<ControlDb, "scope" | "integrations">,
  app: SenderApp,
  addressee: Addressee,
): Promise<readonly Pick<KnownAlertSource, "id" | "scopeId" | "kind">[]> {
  const connected = await control.integrations.connectedWith(app.integration, addressee);
  const sources = connected.map(async ({ scopeId }) => {
    const all = await control.scope(scopeId).alertSources.list();
    const installed = all.filter(({ kind, inputs }) => kind === app.sender.kind && installationInput in inputs);
    return installed.map(({ id, kind }) => ({ id, kind, scopeId }));
  });
  return (await Promise.all(sources)).flat();
}

/** Records what an installation webhook names with the connections, and adds their sources. */
export async function noteInstallation(
  context: InstallingContext & { readonly control: Pick<ControlDb, "scope" | "integrations"> },
  app: SenderApp,
  { addressee, installation }: { readonly addressee: Addressee; readonly installation: string },
): Promise<void> {
  const { control } = context;
  for (const { scopeId } of await control.integrations.connectedWith(app.integration, addressee)) {
    const { integrations } = control.scope(scopeId);
    const connection = (await integrations.list()).find(({ kind, name }) => kind === app.integration && name === "");
    if (connection?.inputs[app.installedInput] === installation) continue;
    const inputs = { ...connection?.inputs, [app.installedInput]: installation };
    await integrations.changeInputs(app.integration, inputs);
    await renewInstalledSource(context, scopeId, app.integration);
  }
}

/**
 * Disconnects what was connected by an application that was removed at the sender, and records that with its source.
 * Returns false for a source that a person set up.
 */
export async function endInstallation(
  { control, clock }: Omit<InstallingContext, "integrations">,
  scopeId: string,
  sourceId: string,
): Promise<boolean> {
  const { integrations, alertSources, audit } = control.scope(scopeId);
  const source = await alertSources.find(sourceId);
  const app = senderApps.find(({ sender }) => sender.kind === source?.kind);
  if (!source || !app || !(installationInput in source.inputs)) return false;
  const { label } = app.sender;
  const now = new Date(clock());
  if (await integrations.disconnect(app.integration)) {
    await audit.record({
      action: "integration.disconnected",
      target: label,
      by: { id: sourceId, name: label },
      now,
    });
  }
  const failure = `the application was removed at ${label}: connect the integration again`;
  await alertSources.note(sourceId, { failure }, now);
  return true;
}
