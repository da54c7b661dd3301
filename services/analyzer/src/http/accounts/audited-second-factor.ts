import type { AuditAction } from "@whence/protocol";
import { z } from "zod";
import type { Person } from "../../identity/identity.ts";
import type { SecondFactorChange } from "../../identity/second-factor-changes.ts";

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
