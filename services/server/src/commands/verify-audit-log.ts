import { z } from "zod";
import type { Command } from "../command-line.ts";
import type { Config } from "../config.ts";
import { serverErrors } from "../errors.ts";
import { operatorOf } from "./operator.ts";

const faultSchema = z.object({
  kind: z.enum(["changed", "removed", "inserted"]),
  seq: z.int(),
  entry_id: z.string().nullable(),
});
const answerSchema = z.object({
  organizations: z.array(
    z.object({ organization_id: z.string(), entries: z.int(), head: z.string(), fault: faultSchema.nullable() }),
  ),
  missing_heads: z.array(z.string()),
});

/**
 * Makes the running service verify the audit log of every organization. Rejects with `WHENCE_ERR_AUDIT_LOG_ALTERED`,
 * which names the first altered entry of each log.
 */
export async function verifyAuditLog(
  config: Config,
  { url, heads }: Extract<Command, { name: "verify-audit-log" }>,
): Promise<readonly string[]> {
  const operator = await operatorOf(config, url);
  const query = new URLSearchParams(heads.map((head) => ["head", head]));
  const answer = answerSchema.parse(await (await operator.ask("GET", `/audit-log?${query}`)).json());
  const faults = [
    ...answer.organizations.flatMap(({ organization_id: id, fault }) => (fault ? [`${id}: ${said(fault)}`] : [])),
    ...answer.missing_heads.map((head) => `no log contains ${head}: entries up to it were removed or changed`),
  ];
  if (faults.length > 0) throw serverErrors.create("WHENCE_ERR_AUDIT_LOG_ALTERED", [faults.join("; ")]);
  if (answer.organizations.length === 0) return ["the audit log has no entries"];
  return answer.organizations.map(
    ({ organization_id: id, entries, head }) => `${id}  ${entries} entries, unchanged, head ${head}`,
  );
}

function said({ kind, seq, entry_id: id }: z.infer<typeof faultSchema>): string {
  return id === null ? `entry ${seq} was ${kind}` : `entry ${seq} (${id}) was ${kind}`;
}
