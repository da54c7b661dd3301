import type { AuditAction } from "@whence/protocol";
import type { AccountStore, AuditScope, OrganizationStore, Scoped } from "@whence/storage";

/** A change of how someone signs in, which concerns every organization that lets them in. */
export interface SecondFactorChange {
  readonly action: AuditAction;
  readonly userId: string;
  readonly email: string;
  readonly by: { readonly id: string; readonly name: string };
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

/**
 * Removes the second factor of the account with the address, and records who did; returns the account's id, null when it
 * has none.
 */
export async function resetSecondFactor(
  control: AccountStore & OrganizationStore & Scoped<AuditScope>,
  { email, by }: Pick<SecondFactorChange, "email" | "by">,
  now: Date,
): Promise<string | null> {
  const userId = await control.accounts.removeSecondFactor(email);
  if (userId === null) return null;
  await recordSecondFactorChange(control, { action: "member.two-factor-reset", userId, email, by }, now);
  return userId;
}
