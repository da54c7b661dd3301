import type { AuditAction } from "@whence/protocol";
import { z } from "zod";

/** The identity library's operations on an organization's members, below `/api/auth`. */
const actions: Readonly<Record<string, AuditAction>> = {
  "/api/auth/organization/invite-member": "member.invited",
  "/api/auth/organization/cancel-invitation": "member.invitation-cancelled",
  "/api/auth/organization/accept-invitation": "member.joined",
  "/api/auth/organization/leave": "member.left",
  "/api/auth/organization/remove-member": "member.removed",
  "/api/auth/organization/update-member-role": "member.role-changed",
};

const subjectSchema = z.object({
  organizationId: z.string(),
  role: z.string().optional(),
  email: z.string().optional(),
  userId: z.string().optional(),
  user: z.object({ email: z.string() }).optional(),
});
/** A membership or an invitation, as the whole answer or as a property of it. */
const answerSchema = z.union([
  z.object({ member: subjectSchema }).transform(({ member }) => member),
  z.object({ invitation: subjectSchema }).transform(({ invitation }) => invitation),
  subjectSchema,
]);

/** A change of an organization's members. */
export interface MembershipChange {
  readonly organizationId: string;
  readonly action: AuditAction;
  readonly target: string;
}

/** Returns what an operation of the identity library changed, from its answer; null for other operations. */
export function membershipChange(path: string, answer: unknown): MembershipChange | null {
  const action = Object.hasOwn(actions, path) ? actions[path] : undefined;
  const read = answerSchema.safeParse(answer);
  if (action === undefined || !read.success) return null;
  const { organizationId, role, email, userId, user } = read.data;
  const who = email ?? user?.email ?? userId ?? "someone";
  return { organizationId, action, target: role === undefined ? who : `${who} (${role})` };
}
