import type { AccountStore, AuditScope, OrganizationStore, Scoped } from "@whence/storage";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { analyzerErrors } from "../errors.ts";
import { recordSecondFactorChange } from "../http/accounts/audited-second-factor.ts";
import { parse } from "../http/validation.ts";

const resetSchema = z.object({ email: z.email() });

/** `POST /operator/second-factor/reset`: lets a person sign in with the password alone, who has lost their codes. */
export function secondFactorRoute(
  app: FastifyInstance,
  control: AccountStore & OrganizationStore & Scoped<AuditScope>,
  clock: () => number,
): void {
  app.post("/operator/second-factor/reset", async (request): Promise<{ user_id: string }> => {
    const { email } = parse(resetSchema, request.body, "body");
    const userId = await control.accounts.removeSecondFactor(email);
    if (userId === null) throw analyzerErrors.create("WHENCE_ERR_SECOND_FACTOR_UNKNOWN", [email]);
    const by = { id: "", name: "an operator" };
    const change = { action: "member.two-factor-reset", userId, email, by } as const;
    await recordSecondFactorChange(control, change, new Date(clock()));
    return { user_id: userId };
  });
}
