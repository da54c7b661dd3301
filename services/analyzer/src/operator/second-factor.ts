import type { AccountStore, AuditScope, OrganizationStore, Scoped } from "@whence/storage";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { analyzerErrors } from "../errors.ts";
import { parse } from "../http/validation.ts";
import { resetSecondFactor } from "../identity/second-factor-changes.ts";

const resetSchema = z.object({ email: z.email() });

/** `POST /operator/second-factor/reset`: lets a person sign in with the password alone, who has lost their codes. */
export function secondFactorRoute(
  app: FastifyInstance,
  control: AccountStore & OrganizationStore & Scoped<AuditScope>,
  clock: () => number,
): void {
  app.post("/operator/second-factor/reset", async (request): Promise<{ user_id: string }> => {
    const { email } = parse(resetSchema, request.body, "body");
    const by = { id: "", name: "an operator" };
    const userId = await resetSecondFactor(control, { email, by }, new Date(clock()));
    if (userId === null) throw analyzerErrors.create("WHENCE_ERR_SECOND_FACTOR_UNKNOWN", [email]);
    return { user_id: userId };
  });
}
