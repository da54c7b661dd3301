import type { OutsideFinding } from "@whence/protocol";
import { z } from "zod";
import { vendorAddress } from "../http/addresses.ts";
import { readPages } from "../http/read-pages.ts";
import { VendorFailure } from "../http/vendor-failure.ts";
import { openVendorHttp, type VendorHttp } from "../http/vendor-http.ts";
import { answeredParts } from "../integrations/answered-parts.ts";
import type { FailureQuestion, Integration } from "../integrations/integration.ts";
import { auditedChanges } from "./audit.ts";
import { dashboard } from "./dashboard.ts";
import { failedAnswers } from "./traffic.ts";

const vendor = "Cloudflare";
const inputsSchema = z.object({ api_key: z.string(), account_email: z.string() });

const zoneSchema = z.object({
  id: z.string(),
  name: z.string(),
  account: z.object({ id: z.string(), name: z.string().nullish() }),
});

/** https://developers.cloudflare.com/api/resources/zones/methods/list/ */
const zonesSchema = z.object({
  result: z.array(zoneSchema),
  result_info: z.object({ total_pages: z.number() }).optional(),
});

/** A domain and its account. */
type Zone = z.infer<typeof zoneSchema>;

const zonesPerPage = 50;
/** Accounts whose audit log is read, and zones whose traffic is read. */
const accountsMax = 3;
const zonesMax = 5;

/** Cloudflare: changes to DNS and firewall, and failed responses. https://developers.cloudflare.com/api/ */
export const cloudflare: Integration = {
  kind: "network",
  vendor,
  checkedAgainst: "a double of our own, from the documented answers",
  connect(inputs, context) {
    const { api_key: key, account_email: email } = inputsSchema.parse(inputs);
    const http = openVendorHttp({
      ...context,
      vendor,
      baseUrl: vendorAddress("https://api.cloudflare.com/client/v4", context),
      headers: isGlobalKey(key) ? { "x-auth-key": key, "x-auth-email": email } : { authorization: `Bearer ${key}` },
    });
    return {
      async verify(signal) {
        const accounts = accountsOf(await zonesOf(http, signal));
        if (accounts.length === 0)
          throw new VendorFailure("forbidden", "Cloudflare shows these credentials no zone: give them Zone Read");
        return accounts.map(({ id, name }) => name ?? id).join(", ");
      },
      async ask(about, signal) {
        const zones = await zonesOf(http, signal);
        const related = zones.filter(({ name }) => hostsOf(about).some((host) => isWithin(host, name)));
        const [changes = [], failures = []] = await answeredParts(
          [changesOf(http, { zones, related, about }, signal), failuresOf(http, { related, about }, signal)],
          about,
        );
        const isRelated = (finding: OutsideFinding): boolean =>
          finding.kind === "change-event" && related.some(({ name }) => isWithin(finding.target ?? "", name));
        const [near, far] = [changes.filter(isRelated), changes.filter((change) => !isRelated(change))];
        return [...near, ...failures, ...far];
      },
      close: () => http.close(),
    };
  },
};

/**
 * Returns whether this is a Global API key, which is used with an email address, rather than a token. By its prefix or,
 * for older ones, by its form: https://developers.cloudflare.com/fundamentals/api/get-started/token-formats/
 */
function isGlobalKey(key: string): boolean {
  return key.startsWith("cfk_") || /^[0-9a-f]{37}$/.test(key);
}

function zonesOf(http: VendorHttp, signal: AbortSignal): Promise<readonly Zone[]> {
  return readPages<Zone, number>(async (next, own) => {
    const page = next ?? 1;
    const query = { per_page: zonesPerPage, page };
    const { body } = await http.json({ path: "/zones", query, schema: zonesSchema }, own);
    return { items: body.result, next: page < (body.result_info?.total_pages ?? 1) ? page + 1 : null };
  }, signal);
}

/** Returns each account once, in the order of the zones. */
function accountsOf(zones: readonly Zone[]): readonly Zone["account"][] {
  return [...new Map(zones.map(({ account }) => [account.id, account])).values()];
}

function hostsOf({ calledHosts, host }: FailureQuestion): readonly string[] {
  return [...calledHosts, host];
}

function isWithin(host: string, zone: string): boolean {
  return host === zone || host.endsWith(`.${zone}`);
}

interface Asked {
  readonly related: readonly Zone[];
  readonly about: FailureQuestion;
}

async function changesOf(
  http: VendorHttp,
  { zones, related, about }: Asked & { zones: readonly Zone[] },
  signal: AbortSignal,
): Promise<readonly OutsideFinding[]> {
  const accounts = accountsOf([...related, ...zones]).slice(0, accountsMax);
  const found = await Promise.all(accounts.map(({ id }) => auditedChanges(http, { account: id, about }, signal)));
  return found.flat();
}

async function failuresOf(
  http: VendorHttp,
  { related, about }: Asked,
  signal: AbortSignal,
): Promise<readonly OutsideFinding[]> {
  if (related.length === 0) return [];
  const zones = related.slice(0, zonesMax).map(({ id }) => id);
  const hosts = hostsOf(about).filter((host) => related.some(({ name }) => isWithin(host, name)));
  const failures = await failedAnswers(http, { zones, hosts, about }, signal);
  return failures.map((failure) => ({ ...failure, url: trafficPage(failure.source, related) }));
}

function trafficPage(host: string | null, related: readonly Zone[]): string | null {
  const around = related.filter(({ name }) => isWithin(host ?? "", name));
  const [zone] = around.toSorted((one, other) => other.name.length - one.name.length);
  return zone ? `${dashboard}/${encodeURIComponent(zone.account.id)}/${zone.name}/analytics/traffic` : null;
}
