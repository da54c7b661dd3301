import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { request } from "../../../lib/api-client.ts";

/** The roles in an organization. */
export const roles = ["owner", "member"] as const;
export type Role = (typeof roles)[number];

const memberSchema = z.object({
  id: z.string(),
  userId: z.string(),
  role: z.string(),
  createdAt: z.string(),
  user: z.object({ name: z.string(), email: z.string() }),
});
export type Member = z.infer<typeof memberSchema>;

const invitationSchema = z.object({
  id: z.string(),
  email: z.string(),
  role: z.string().nullable(),
  status: z.string(),
  expiresAt: z.string(),
});
export type Invitation = z.infer<typeof invitationSchema>;

const membersMax = 1_000;

/** The members of the organization. */
export const membersQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["settings", "members", organizationId],
    queryFn: ({ signal }) =>
      request(z.object({ members: z.array(memberSchema) }), "/api/auth/organization/list-members", {
        query: { organizationId, limit: membersMax },
        signal,
      }),
  });

/** The pending invitations of the organization. */
export const invitationsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["settings", "invitations", organizationId],
    queryFn: ({ signal }) =>
      request(z.array(invitationSchema), "/api/auth/organization/list-invitations", {
        query: { organizationId },
        signal,
      }),
  });

async function change<Schema extends z.ZodType>(
  schema: Schema,
  operation: string,
  body: object,
): Promise<z.infer<Schema>> {
  return request(schema, `/api/auth/organization/${operation}`, { method: "POST", body });
}

/** Sends a mail with a link; repeated for the same address, it sends another mail with the same link. */
export function invite(organizationId: string, email: string, role: Role): Promise<Invitation> {
  return change(invitationSchema, "invite-member", { organizationId, email, role, resend: true });
}

export async function cancelInvitation(invitationId: string): Promise<void> {
  await change(z.unknown(), "cancel-invitation", { invitationId });
}

export async function changeRole(organizationId: string, memberId: string, role: Role): Promise<void> {
  await change(z.unknown(), "update-member-role", { organizationId, memberId, role });
}

export async function removeMember(organizationId: string, memberIdOrEmail: string): Promise<void> {
  await change(z.unknown(), "remove-member", { organizationId, memberIdOrEmail });
}
