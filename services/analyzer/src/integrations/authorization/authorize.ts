import type { Integration, IntegrationKindName } from "@whence/protocol";
import type { ControlDb } from "@whence/storage";
import {
  AuthorizationDenied,
  type AuthorizationFlow,
  authorizationFlow,
  authorizeUrl,
  exchangeCode,
  type OutboundContext,
  revokeToken,
  VendorFailure,
  vendorLimits,
} from "@whence/vendors";
import { analyzerErrors } from "../../errors.ts";
import type { Member } from "../../identity/identity.ts";
import type { ConnectingContext } from "../ask-integrations.ts";
import { verifyConnection } from "../verify-connection.ts";
import { type Attempt, startAttempt, takeAttempt } from "./attempts.ts";
import { authorizedCredentials } from "./fresh-inputs.ts";

/** The dependencies for connecting by authorization. */
export interface AuthorizationContext {
  readonly control: Pick<ControlDb, "scope">;
  readonly appUrl: string;
  readonly integrations: ConnectingContext;
}

/** A person who connects a kind. */
interface Connecting {
  readonly kind: IntegrationKindName;
  readonly flow: AuthorizationFlow;
  readonly member: Member;
}

type Inputs = Readonly<Record<string, string>>;

/**
 * Returns the vendor's address at which the person authorizes. `account` names one of several accounts that they may
 * read.
 */
export async function startAuthorization(
  context: AuthorizationContext,
  { kind, flow, member }: Connecting,
  account: string | null,
): Promise<string> {
  const { control, integrations: outbound } = context;
  const { secrets } = control.scope(member.organizationId);
  const attempt = await startAttempt(secrets, { kind, member, account, now: outbound.clock() });
  return authorizeUrl(flow, { ...attempt, redirectUri: redirectUriOf(context, kind) }, outbound);
}

/**
 * Connects with the parameters that the vendor redirected the person back with, or returns the address to continue at.
 * Rejects with an error for the person.
 */
export async function finishAuthorization(
  context: AuthorizationContext,
  connecting: Connecting,
  parameters: URLSearchParams,
): Promise<Integration | { readonly continueAt: string }> {
  const attempt = await attemptOf(context, connecting, parameters);
  try {
    return await connect(context, connecting, { attempt, parameters });
  } catch (error) {
    const { vendor } = connecting.flow;
    if (error instanceof AuthorizationDenied) {
      throw analyzerErrors.create("WHENCE_ERR_AUTHORIZATION_DENIED", [vendor], { cause: error });
    }
    const isTimeUp = error instanceof Error && error.name === "TimeoutError";
    if (!isTimeUp && !(error instanceof VendorFailure)) throw error;
    const why = isTimeUp ? `${vendor} did not answer in time` : error.message;
    throw analyzerErrors.create("WHENCE_ERR_AUTHORIZATION_REFUSED", [vendor, why], { cause: error });
  }
}

/**
 * Revokes the authorization at the vendor. Null when there is none, or the vendor can't revoke. Rejects with a {@link
 * VendorFailure}.
 */
export async function endAuthorization(
  kind: IntegrationKindName,
  connection: Inputs,
  outbound: OutboundContext,
): Promise<true | null> {
  const flow = authorizationFlow(kind, outbound.applications);
  if (!flow) return null;
  if (flow.end) {
    await flow.end(connection, outbound, AbortSignal.timeout(vendorLimits.verifiedWithinMs));
    return true;
  }
  return revoke(flow, connection, outbound);
}

async function attemptOf(
  { control, integrations: outbound }: AuthorizationContext,
  { kind, flow, member }: Connecting,
  parameters: URLSearchParams,
): Promise<Attempt> {
  const { secrets } = control.scope(member.organizationId);
  const state = parameters.get("state") ?? "";
  const attempt = await takeAttempt(secrets, { kind, member, state, now: outbound.clock() });
  if (attempt === "unknown") throw analyzerErrors.create("WHENCE_ERR_AUTHORIZATION_UNKNOWN", [flow.vendor]);
  if (attempt === "expired") throw analyzerErrors.create("WHENCE_ERR_AUTHORIZATION_EXPIRED", [flow.vendor]);
  return attempt;
}

async function connect(
  context: AuthorizationContext,
  connecting: Connecting,
  { attempt, parameters }: { readonly attempt: Attempt; readonly parameters: URLSearchParams },
): Promise<Integration | { readonly continueAt: string }> {
  const { control, integrations: outbound } = context;
  const { kind, flow, member } = connecting;
  const { integrations, secrets } = control.scope(member.organizationId);
  const signal = AbortSignal.timeout(vendorLimits.verifiedWithinMs);
  const tokens = await exchangeCode(
    flow,
    parameters,
    { ...attempt, redirectUri: redirectUriOf(context, kind) },
    outbound,
  );
  const { account } = attempt;
  const named = (await flow.inputs?.({ tokens, parameters, account }, outbound, signal)) ?? {};
  if ("continueAt" in named && named.continueAt !== undefined) {
    const next = await startAttempt(secrets, { kind, member, account, now: outbound.clock() });
    return { continueAt: `${named.continueAt}?${new URLSearchParams({ state: next.state })}` };
  }
  const replaced = await integrations.credentials(kind);
  const credentials = authorizedCredentials(flow, tokens);
  const { vendor, belongsTo } = await confirmed(flow, kind, { ...named, ...credentials }, outbound);
  const connection = {
    kind,
    vendor,
    belongsTo,
    inputs: { ...keptInputs(replaced), ...named },
    credentials,
    by: { id: member.userId, name: member.name },
    now: new Date(outbound.clock()),
  };
  const integration = await integrations.connect(connection);
  // Replaced credentials are no longer used. If the vendor fails to revoke them now, they expire.
  if (replaced) await revoke(flow, replaced, outbound).catch(() => null);
  return integration;
}

/** The inputs that people assigned, which remain when they connect again. */
function keptInputs(replaced: Inputs | null): Inputs {
  const { repositories } = replaced ?? {};
  return repositories === undefined ? {} : { repositories };
}

/** The account that the credentials belong to, named by the vendor when it verifies them. */
async function confirmed(
  { vendor }: AuthorizationFlow,
  kind: IntegrationKindName,
  inputs: Inputs,
  context: ConnectingContext,
): Promise<{ readonly vendor: string; readonly belongsTo: string }> {
  const integration = context.registry.find(kind, inputs);
  if (!integration) return { vendor, belongsTo: inputs.account ?? "" };
  return { vendor: integration.vendor, belongsTo: await verifyConnection(integration, inputs, context) };
}

/** Revokes both tokens: not every vendor revokes one with the other. */
async function revoke(flow: AuthorizationFlow, connection: Inputs, outbound: OutboundContext): Promise<true | null> {
  const { tokenInput, revokeUrl } = flow;
  const access = tokenInput === null ? undefined : connection[tokenInput];
  const tokens = [connection.refresh_token, access].filter((token) => token !== undefined);
  if (revokeUrl === null || tokens.length === 0) return null;
  for (const token of tokens) await revokeToken(flow, token, outbound);
  return true;
}

function redirectUriOf({ appUrl }: AuthorizationContext, kind: IntegrationKindName): string {
  return `${appUrl}/api/integrations/${kind}/authorization/callback`;
}
