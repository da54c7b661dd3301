import { APIError } from "better-auth/api";

/** The part of the identity library's context that finds rows. */
interface RowContext {
  readonly context: {
    readonly adapter: {
      findMany<Row>(query: { model: string; where: { field: string; value: string }[] }): Promise<Row[]>;
    };
  };
}

interface SignUpContext extends RowContext {
  readonly path?: string | undefined;
  readonly body?: { readonly email?: unknown } | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
}

interface Invitation {
  readonly organizationId: string;
  readonly email: string;
  readonly status: string;
  readonly expiresAt: Date;
}

/**
 * Where sign-up with a password is closed, an invitation to the address lets someone in. Its id is only in the mail, and
 * a password proves no address. Returns the organization that invites; null for other routes, and without an invitation.
 */
export async function refuseUninvited(attempt: SignUpContext, openSignUp: boolean): Promise<string | null> {
  const { path, body, query } = attempt;
  if (path !== "/sign-up/email") return null;
  const id = query?.invitation;
  const invitations = typeof id === "string" ? await findInvitations(attempt, "id", id) : [];
  const own = invitations.find(({ email }) => email.toLowerCase() === String(body?.email).toLowerCase());
  if (own || openSignUp) return own?.organizationId ?? null;
  throw new APIError("FORBIDDEN", { message: "sign-up is by invitation only: ask an owner for one" });
}

/** Why a provider's person gets no account. */
export type Refusal = { readonly error: "email_not_verified" | "not_invited" };

interface Newcomer {
  readonly user: { readonly email?: string | undefined; readonly emailVerified?: boolean | undefined };
  readonly source: { readonly action: string; readonly method: string };
}

/**
 * Lets a provider's new person in once the provider has verified their address; where sign-up is closed, only if that
 * address is invited.
 */
export async function admitNewcomer(
  { user: { email = "", emailVerified }, source }: Newcomer,
  context: RowContext,
  openSignUp: boolean,
): Promise<Refusal | undefined> {
  if (source.method !== "oauth" || source.action !== "create-user") return;
  if (emailVerified !== true) return { error: "email_not_verified" };
  if (openSignUp || (await findInvitations(context, "email", email.toLowerCase())).length > 0) return;
  return { error: "not_invited" };
}

async function findInvitations({ context }: RowContext, field: string, value: string): Promise<Invitation[]> {
  const found = await context.adapter.findMany<Invitation>({ model: "invitation", where: [{ field, value }] });
  return found.filter(({ status, expiresAt }) => status === "pending" && expiresAt > new Date());
}
