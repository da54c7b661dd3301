import type { AuditAction } from "@whence/protocol";
import type { AuditScope, OrganizationStore, Scoped } from "@whence/storage";
import { z } from "zod";
import type { Person } from "../../identity/identity.ts";

/** A change of how someone signs in, which concerns every organization that lets them in. */
export interface SecondFactorChange {
  readonly action: AuditAction;
  readonly userId: string;
  readonly email: string;
  readonly by: { readonly id: string; readonly name: string };
}

const prefix = "/api/auth/two-factor/";
const answerSchema = z.object({ user: z.object({ id: z.string(), name: z.string(), email: z.string() }) });

/**
 * Returns what an operation of the identity library changed; null for other operations. `before` is who was signed in
 * when it started: a code turns the second factor on in a session, and starts a session without one.
 */
export function secondFactorChange(path: string, before: Person | null, answer: unknown): SecondFactorChange | null {
  const operation = path.startsWith(prefix) ? path.slice(prefix.length) : "";
  if (before) {
    const action = actionInSession(operation, before);
    const by = { id: before.userId, name: before.name };
    return action && { action, userId: before.userId, email: before.email, by };
  }
  const entered = answerSchema.safeParse(answer).data?.user;
  if (operation !== "verify-backup-code" || !entered) return null;
  const { id, name, email } = entered;
  return { action: "member.backup-code-used", userId: id, email, by: { id, name } };
}

function actionInSession(operation: string, { hasSecondFactor }: Person): AuditAction | null {
  if (operation === "disable") return "member.two-factor-disabled";
  if (operation === "generate-backup-codes") return "member.backup-codes-replaced";
  return operation === "verify-totp" && !hasSecondFactor ? "member.two-factor-enabled" : null;
}

/** Records the change in the audit log of each organization that the person belongs to. */
export async function recordSecondFactorChange(
  control: OrganizationStore & Scoped<AuditScope>,
  { action, userId, email: target, by }: SecondFactorChange,
  now: Date,
): Promise<void> {
  for (const { id } of await control.organizations.ofUser(userId)) {
    await control.scope(id).audit.record({ action, target, by, now });
  }
}
