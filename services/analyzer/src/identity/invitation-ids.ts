import type { OrganizationStore } from "@whence/storage";
import { APIError } from "better-auth/api";

/**
 * Routes that return ids of invitations. The holder of an id is let in as the invited person, whether or not the address
 * is theirs, so only people who may invite may see ids.
 */
const returnsInvitations: ReadonlySet<string> = new Set([
  "/organization/list-invitations",
  "/organization/list-user-invitations",
  "/organization/get-full-organization",
]);

interface Listing {
  readonly path?: string | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
}

type CurrentSession = { user: { id: string }; session: Readonly<Record<string, unknown>> } | null;

/** Lists invitations only to owners of the requested organization; the other two routes are closed. */
export async function refuseStrangers(
  { path = "", query }: Listing,
  readSession: () => Promise<CurrentSession>,
  organizations: Pick<OrganizationStore["organizations"], "ofUser">,
): Promise<void> {
  if (!returnsInvitations.has(path)) return;
  if (path !== "/organization/list-invitations") {
    throw new APIError("NOT_FOUND", {
      message: "this route is closed: an owner can list the organization's invitations",
    });
  }
  const current = await readSession();
  const asked = query?.organizationId ?? current?.session.activeOrganizationId;
  const own = current ? await organizations.ofUser(current.user.id) : [];
  if (own.some(({ id, role }) => id === asked && role === "owner")) return;
  throw new APIError("FORBIDDEN", { message: "only an owner of the organization may list its invitations" });
}
