import {
  type AgentRequest,
  agentRequestSchema,
  type ClaimResponse,
  claimResponseSchema,
  type SetupRequest,
  type SignInProvider,
} from "@whence/protocol";
import { z } from "zod";
import { request } from "../../../lib/api-client.ts";

/** The identity library returns more than is used here. */
const anything = z.unknown();

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

const signInAnswerSchema = z.object({ twoFactorRedirect: z.boolean().optional() });

/** Starts a session, whose cookie isn't readable by this page, or answers that a code has to follow. */
export async function signIn(credentials: Credentials): Promise<"signed-in" | "code-needed"> {
  const body = { ...credentials };
  const answer = await request(signInAnswerSchema, "/api/auth/sign-in/email", { method: "POST", body });
  return answer.twoFactorRedirect ? "code-needed" : "signed-in";
}

/** Ends the session. */
export async function signOut(): Promise<void> {
  await request(anything, "/api/auth/sign-out", { method: "POST", body: {} });
}

/** Creates an account and starts a session; `invitation` is the ID from the invitation mail. */
export async function signUp(person: Credentials & { name: string }, invitation: string | undefined): Promise<void> {
  await request(anything, "/api/auth/sign-up/email", { method: "POST", body: person, query: { invitation } });
}

/** Creates the first owner of a new service and starts their session. */
export async function setUp(owner: SetupRequest): Promise<void> {
  await request(anything, "/api/setup", { method: "POST", body: owner });
}

/** Sends a mail to the address if there is an account; the response doesn't reveal whether there is. */
export async function requestPasswordReset(email: string): Promise<void> {
  await request(anything, "/api/auth/request-password-reset", { method: "POST", body: { email } });
}

/** Replaces the password; `token` is in the mail. */
export async function resetPassword(token: string, newPassword: string): Promise<void> {
  await request(anything, "/api/auth/reset-password", { method: "POST", body: { token, newPassword } });
}

/** Joins the organization that invited the signed-in person, and makes it the active one. */
export async function acceptInvitation(invitationId: string): Promise<void> {
  await request(anything, "/api/auth/organization/accept-invitation", { method: "POST", body: { invitationId } });
}

/** Makes another of the person's organizations the active one. */
export async function switchOrganization(organizationId: string): Promise<void> {
  await request(anything, "/api/auth/organization/set-active", { method: "POST", body: { organizationId } });
}

/** Creates an organization that the signed-in person owns, and makes it the active one. */
export async function createOrganization(name: string): Promise<void> {
  const slug = `org-${crypto.randomUUID()}`;
  const made = await request(z.object({ id: z.string() }), "/api/auth/organization/create", {
    method: "POST",
    body: { name, slug },
  });
  await switchOrganization(made.id);
}

/** Returns the agent that asks to join with the token. */
export function askingAgent(token: string): Promise<AgentRequest> {
  return request(agentRequestSchema, "/api/agents/claim/preview", { method: "POST", body: { claim_token: token } });
}

/** The download path of the person's data. */
export const accountExportPath = "/api/account/export";

/** Deletes the signed-in person's account, which ends their sessions. */
export async function deleteAccount(): Promise<void> {
  await request(anything, "/api/account", { method: "DELETE" });
}

/** Assigns the agent of the token to the active organization. */
export function claimAgent(token: string): Promise<ClaimResponse> {
  return request(claimResponseSchema, "/api/agents/claim", { method: "POST", body: { claim_token: token } });
}

/** Redirects to the provider's sign-in, which leads back to `path`, with an `error` in its query if it fails. */
export async function signInWith(provider: SignInProvider, path: string): Promise<void> {
  const body = { provider, callbackURL: path, errorCallbackURL: path };
  const { url } = await request(z.object({ url: z.url() }), "/api/auth/sign-in/social", { method: "POST", body });
  window.location.assign(url);
}
