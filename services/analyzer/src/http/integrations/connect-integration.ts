import {
  type Integration,
  type IntegrationKind,
  type IntegrationKindName,
  integrationKinds,
  isSecretInput,
} from "@whence/protocol";
import type { IntegrationRepository } from "@whence/storage";
import { VendorFailure } from "@whence/vendors";
import { analyzerErrors } from "../../errors.ts";
import type { Member } from "../../identity/identity.ts";
import { integrationLimits } from "../../integrations/integration-limits.ts";
import { verifyConnection } from "../../integrations/verify-connection.ts";
import { renewInstalledSource } from "../../webhooks/installed-source.ts";
import type { HttpContext } from "../context.ts";

interface Entered {
  readonly kind: IntegrationKindName;
  readonly name: string;
  readonly values: Readonly<Record<string, string>>;
}

/** Stores what was entered once the vendor has confirmed it. Throws the vendor's error when it doesn't. */
export async function connectIntegration(
  context: HttpContext,
  owner: Member,
  { kind, name, values }: Entered,
): Promise<Integration> {
  const { control, integrations, clock } = context;
  const { label, inputs }: IntegrationKind = integrationKinds[kind];
  const vendors = integrations.registry.vendorsOf(kind).map(({ vendor }) => vendor);
  if (vendors.length === 0) throw analyzerErrors.create("WHENCE_ERR_INTEGRATION_NOT_OFFERED", [label]);
  const integration = integrations.registry.find(kind, values);
  if (!integration) throw refused(`what was entered isn't a key of ${vendors.join(" or ")}`);
  const belongsTo = await verifyConnection(integration, values, integrations).catch((error: unknown) => {
    throw error instanceof VendorFailure ? refused(error.message) : error;
  });
  const secretNames = inputs.filter(isSecretInput).map(({ name }) => name);
  const isCredential = ([name]: [string, string]): boolean => secretNames.includes(name);
  const { integrations: connections } = control.scope(owner.organizationId);
  await refuseTooMany(connections, { kind, name });
  const connected = await connections.named(name).connect({
    kind,
    vendor: integration.vendor,
    belongsTo,
    inputs: Object.fromEntries(Object.entries(values).filter((entry) => !isCredential(entry))),
    credentials: Object.fromEntries(Object.entries(values).filter(isCredential)),
    by: { id: owner.userId, name: owner.name },
    now: new Date(clock()),
  });
  if (name === "") await renewInstalledSource(context, owner.organizationId, kind);
  return connected;
}

/**
 * Asks the vendor of a connection again, and records its answer. Null when the kind isn't connected. Throws the
 * vendor's error when its credentials don't work.
 */
export async function checkIntegration(
  { control, integrations: context, clock }: HttpContext,
  organizationId: string,
  { kind, name }: Pick<Entered, "kind" | "name">,
): Promise<Integration | null> {
  const integrations = control.scope(organizationId).integrations.named(name);
  const inputs = await integrations.credentials(kind);
  const integration = inputs && context.registry.find(kind, inputs);
  if (!integration) return null;
  const now = new Date(clock());
  try {
    const belongsTo = await verifyConnection(integration, inputs, context);
    await integrations.noteOutcome(kind, { failure: null, findings: 0, belongsTo, now });
  } catch (error) {
    if (!(error instanceof VendorFailure)) throw error;
    await integrations.noteOutcome(kind, { failure: error.message, findings: 0, now });
    throw analyzerErrors.create("WHENCE_ERR_INTEGRATION_CHECK_FAILED", [error.message]);
  }
  return (await integrations.list()).find((one) => one.kind === kind && one.name === name) ?? null;
}

/** Each connection is asked in every investigation. */
async function refuseTooMany(
  connections: IntegrationRepository,
  { kind, name }: Pick<Entered, "kind" | "name">,
): Promise<void> {
  const ofKind = (await connections.list()).filter((one) => one.kind === kind);
  const { connectionsPerKindMax: most } = integrationLimits;
  if (ofKind.length < most || ofKind.some((one) => one.name === name)) return;
  throw analyzerErrors.create("WHENCE_ERR_INTEGRATION_TOO_MANY", [integrationKinds[kind].label, most]);
}

function refused(why: string): Error {
  return analyzerErrors.create("WHENCE_ERR_INTEGRATION_REFUSED", [why]);
}
