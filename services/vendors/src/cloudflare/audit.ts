import type { OutsideFinding } from "@whence/protocol";
import { z } from "zod";
import { readPages } from "../http/read-pages.ts";
import type { VendorHttp } from "../http/vendor-http.ts";
import type { FailureQuestion } from "../integrations/integration.ts";
import { dashboard } from "./dashboard.ts";

const entrySchema = z.object({
  action: z.object({
    time: z.string(),
    type: z.string().optional(),
    result: z.string().optional(),
    description: z.string().optional(),
  }),
  actor: z
    .object({ email: z.string().optional(), token_name: z.string().optional(), type: z.string().optional() })
    .optional(),
  resource: z
    .object({
      product: z.string().optional(),
      type: z.string().optional(),
      request: z.unknown().optional(),
      response: z.unknown().optional(),
    })
    .optional(),
  zone: z.object({ name: z.string().optional() }).optional(),
  raw: z.object({ uri: z.string().optional() }).optional(),
});
type Entry = z.infer<typeof entrySchema>;

/** https://developers.cloudflare.com/api/resources/accounts/subresources/logs/subresources/audit/methods/list/ */
const auditSchema = z.object({
  result: z.array(entrySchema),
  result_info: z
    .object({ cursor: z.string().nullish(), cursors: z.object({ after: z.string().nullish() }).nullish() })
    .nullish(),
});

/**
 * https://developers.cloudflare.com/api/resources/dns/subresources/records/models/; a record's content isn't requested.
 */
const recordSchema = z.object({ name: z.string(), type: z.string() });

const perPage = 100;
const changing: readonly string[] = ["create", "update", "delete"];

/** Returns changes to DNS, the firewall, and zone settings, the newest first. */
export async function auditedChanges(
  http: VendorHttp,
  { account, about }: { account: string; about: FailureQuestion },
  signal: AbortSignal,
): Promise<readonly OutsideFinding[]> {
  const path = `/accounts/${encodeURIComponent(account)}/logs/audit`;
  const span = { since: about.from, before: about.to, direction: "desc", "action_type.not": "view" };
  const entries = await readPages<Entry, string>(async (cursor, own) => {
    const query = { ...span, limit: perPage, cursor: cursor ?? undefined };
    const { body } = await http.json({ path, query, schema: auditSchema }, own);
    const { cursor: plain, cursors } = body.result_info ?? {};
    return { items: body.result, next: cursors?.after || plain || null };
  }, signal);
  const url = `${dashboard}/${encodeURIComponent(account)}/audit-log`;
  return entries.flatMap((entry) => changesOf(entry, url));
}

function changesOf({ action, actor, resource, zone, raw }: Entry, url: string): readonly OutsideFinding[] {
  const what = kindOf([resource?.product, resource?.type, raw?.uri].join(" "));
  if (what === null || !changing.includes(action.type ?? "")) return [];
  const record = what === "dns" ? recordOf(resource) : null;
  const subject = record ? `${record.type} record ${record.name}` : (action.description ?? resource?.type ?? what);
  return [
    {
      kind: "change-event",
      what,
      vendor: "Cloudflare",
      url,
      at: action.time,
      title: `${action.type} ${subject}`,
      target: record?.name ?? zone?.name ?? null,
      by: actor?.email ?? actor?.token_name ?? actor?.type ?? null,
      failed: action.result === undefined ? null : action.result === "failure",
    },
  ];
}

/**
 * Classifies by the product, the resource type, and the path of the request that made the change. Null for changes that
 * don't concern zones.
 */
function kindOf(names: string): "dns" | "firewall" | "configuration" | null {
  if (/\bdns|dns_/i.test(names)) return "dns";
  if (/firewall|waf\b|ruleset|rate.?limit|filters\b|access.?rule|bot.?management/i.test(names)) return "firewall";
  return /zones\/[^/ ]+\/|load.?balanc|worker|custom.?hostname|page.?rule|\bssl|certificate/i.test(names)
    ? "configuration"
    : null;
}

function recordOf(resource: Entry["resource"]): z.infer<typeof recordSchema> | null {
  const found = [resource?.response, resource?.request].flatMap((value) => {
    const result = z.object({ result: recordSchema }).transform((body) => body.result);
    const parsed = z.union([recordSchema, result]).safeParse(value);
    return parsed.success ? [parsed.data] : [];
  });
  return found[0] ?? null;
}
