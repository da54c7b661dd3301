import { type OutsideFinding, secondMs } from "@whence/protocol";
import { z } from "zod";
import { vendorAddress } from "../http/addresses.ts";
import { readPages } from "../http/read-pages.ts";
import { VendorFailure } from "../http/vendor-failure.ts";
import { openVendorHttp, type VendorHttp } from "../http/vendor-http.ts";
import { answeredParts } from "../integrations/answered-parts.ts";
import type { FailureQuestion, Integration, VendorFinding } from "../integrations/integration.ts";
import type { OutboundContext } from "../outbound-context.ts";

const inputsSchema = z.object({ api_key: z.string() });

/** https://developer.pagerduty.com/docs/pagination */
const page = { more: z.boolean().nullish() };
/** Requests and responses follow https://github.com/PagerDuty/api-schema, reference/REST/openapiv3.json. */
const named = z.object({ id: z.string(), summary: z.string().nullish(), html_url: z.string().nullish() });

/** `GET /users` */
const usersSchema = z.object({ users: z.array(named) });

/** `GET /services` */
const servicesSchema = z.object({
  services: z.array(z.object({ ...named.shape, escalation_policy: named.nullish() })),
});

/** `GET /incidents` */
const incidentsSchema = z.object({
  incidents: z.array(
    z.object({
      ...named.shape,
      title: z.string(),
      status: z.string(),
      created_at: z.string(),
      resolved_at: z.string().nullish(),
      last_status_change_at: z.string().nullish(),
      service: named.nullish(),
      escalation_policy: named.nullish(),
    }),
  ),
  ...page,
});
type Incident = z.infer<typeof incidentsSchema>["incidents"][number];

/** `GET /change_events` */
const changesSchema = z.object({
  change_events: z.array(
    z.object({
      summary: z.string(),
      timestamp: z.string(),
      source: z.string().nullish(),
      services: z.array(named).nullish(),
      links: z.array(z.object({ href: z.string() })).nullish(),
    }),
  ),
  ...page,
});

type Change = z.infer<typeof changesSchema>["change_events"][number];

/** `GET /oncalls`, with `include[]=users` */
const onCallUserSchema = z.object({ ...named.shape, email: z.string().optional() });
const onCallsSchema = z.object({
  oncalls: z.array(z.object({ user: onCallUserSchema, escalation_policy: named, escalation_level: z.number() })),
  ...page,
});

const vendor = "PagerDuty";
const perPage = 100;
const onCallsMax = 10;

/** PagerDuty: incidents, change events, and who is on call for them. https://developer.pagerduty.com/api-reference */
export const pagerDuty: Integration = {
  kind: "incident-management",
  vendor,
  checkedAgainst: "a double of our own, from the documented answers",
  connect(inputs, context) {
    const { api_key: key } = inputsSchema.parse(inputs);
    const regions = openRegions(key, context);
    return {
      async verify(signal) {
        return (await regions.find(signal)).account;
      },
      async ask(about, signal) {
        const { http } = await regions.find(signal);
        const asking = { http, about, signal };
        const services = servicesOf(asking);
        const incidents = incidentsOf(asking);
        const [opened = [], changes = [], people = []] = await answeredParts(
          [
            incidents.then((all) => all.map(problemOf)),
            changesOf(asking, services),
            onCallOf(asking, services, incidents),
          ],
          about,
        );
        signal.throwIfAborted();
        return [...opened, ...changes, ...people];
      },
      close: () => regions.close(),
    };
  },
};

/** https://support.pagerduty.com/main/docs/service-regions: an account is in one of them. */
const addresses = ["https://api.pagerduty.com", "https://api.eu.pagerduty.com"];

interface Region {
  readonly http: VendorHttp;
  /** For people: `acme.pagerduty.com`. */
  readonly account: string;
}

interface Regions {
  /** Finds the region that knows the key. Rejects with a `VendorFailure` when none does. */
  find(signal: AbortSignal): Promise<Region>;
  close(): Promise<void>;
}

function openRegions(key: string, context: OutboundContext): Regions {
  const regions = addresses.map((address) =>
    openVendorHttp({
      ...context,
      vendor,
      baseUrl: vendorAddress(address, context),
      headers: { authorization: `Token token=${key}`, accept: "application/vnd.pagerduty+json;version=2" },
      retryAfterMs: waitUntilReset,
    }),
  );
  return {
    async find(signal) {
      let refusal = new VendorFailure("unauthorized", `${vendor} has no region that knows this key`);
      for (const http of regions) {
        try {
          return { http, account: await accountOf(http, signal) };
        } catch (error) {
          if (!(error instanceof VendorFailure) || error.reason !== "unauthorized") throw error;
          refusal = error;
        }
      }
      throw refusal;
    },
    async close() {
      await Promise.all(regions.map((http) => http.close()));
    },
  };
}

/** Every account has at least one person, whose page names the account. */
async function accountOf(http: VendorHttp, signal: AbortSignal): Promise<string> {
  const { body } = await http.json({ path: "/users", query: { limit: 1 }, schema: usersSchema }, signal);
  const page = body.users[0]?.html_url;
  return (page ? URL.parse(page)?.host : null) ?? vendor;
}

/** https://support.pagerduty.com/main/docs/rest-api-rate-limits */
function waitUntilReset(headers: Readonly<Record<string, string>>): number | null {
  const seconds = Number(headers["ratelimit-reset"] ?? Number.NaN);
  return Number.isNaN(seconds) ? null : seconds * secondMs;
}

interface Asking {
  readonly http: VendorHttp;
  readonly about: FailureQuestion;
  readonly signal: AbortSignal;
}

type Services = z.infer<typeof servicesSchema>["services"];

/** Returns the services that are named after the failing one. */
async function servicesOf({ http, about, signal }: Asking): Promise<Services> {
  const query = { query: about.service, limit: perPage };
  return (await http.json({ path: "/services", query, schema: servicesSchema }, signal)).body.services;
}

/** Returns incidents that began within the span, and earlier ones that are still open. */
async function incidentsOf({ http, about, signal }: Asking): Promise<Incident[]> {
  const list = (filter: Readonly<Record<string, string | readonly string[]>>): Promise<Incident[]> =>
    readPages<Incident, number>(async (next, own) => {
      const offset = next ?? 0;
      const query = { ...filter, sort_by: "created_at:desc", limit: perPage, offset };
      const { body } = await http.json({ path: "/incidents", query, schema: incidentsSchema }, own);
      return { items: body.incidents, next: body.more ? offset + perPage : null };
    }, signal);
  const [within, open] = await Promise.all([
    list({ since: about.from, until: about.to }),
    list({ date_range: "all", "statuses[]": ["triggered", "acknowledged"] }),
  ]);
  const known = new Set(within.map(({ id }) => id));
  const before = open.filter(({ id, created_at: at }) => !known.has(id) && Date.parse(at) <= Date.parse(about.to));
  return [...within, ...before];
}

function problemOf({ title, service, status, html_url: url, ...times }: Incident): OutsideFinding {
  const ended = times.resolved_at ?? times.last_status_change_at ?? null;
  return {
    kind: "problem",
    what: "incident",
    vendor,
    title,
    target: service?.summary ?? null,
    since: times.created_at,
    until: status === "resolved" ? ended : null,
    url: url ?? null,
  };
}

/** A change event contains its services without their names. */
async function changesOf({ http, about, signal }: Asking, services: Promise<Services>): Promise<OutsideFinding[]> {
  const changes = await readPages<Change, number>(async (next, own) => {
    const offset = next ?? 0;
    const query = { since: wholeSeconds(about.from), until: wholeSeconds(about.to), limit: perPage, offset };
    const { body } = await http.json({ path: "/change_events", query, schema: changesSchema }, own);
    return { items: body.change_events, next: body.more ? offset + perPage : null };
  }, signal);
  const names = new Map((await services.catch(() => [])).map(({ id, summary }) => [id, summary]));
  return changes.map(({ summary: title, timestamp: at, source, services: changed, links }) => {
    const [name] = (changed ?? []).flatMap((one) => one.summary ?? names.get(one.id) ?? []);
    return {
      kind: "change-event",
      what: "deployment",
      vendor,
      title,
      target: name ?? source ?? null,
      at,
      by: null,
      failed: null,
      url: links?.[0]?.href ?? null,
    };
  });
}

/** PagerDuty rejects queries for change events whose times have fractions. */
const wholeSeconds = (time: string): string => time.replace(/\.\d+(?=Z$)/, "");

/**
 * Returns who is on call for the services named after the failing one, and those with an incident; the first to be
 * called comes first.
 */
async function onCallOf(
  { http, signal }: Asking,
  services: Promise<Services>,
  incidents: Promise<readonly Incident[]>,
): Promise<VendorFinding[]> {
  const owners = [...(await services.catch(() => [])), ...(await incidents.catch(() => []))];
  const policies = [...new Set(owners.flatMap((owner) => owner.escalation_policy?.id ?? []))];
  if (policies.length === 0) return [];
  const query = { "escalation_policy_ids[]": policies, "include[]": "users", limit: perPage };
  const { body } = await http.json({ path: "/oncalls", query, schema: onCallsSchema }, signal);
  const people = body.oncalls
    .toSorted((a, b) => a.escalation_level - b.escalation_level)
    .map(({ user, escalation_policy: policy }): VendorFinding => {
      const [title, target, { email }] = [user.summary ?? user.id, policy.summary ?? null, user];
      return { kind: "record", what: "on-call", vendor, title, target, at: null, url: user.html_url ?? null, email };
    });
  return [...new Map(people.map((person) => [JSON.stringify(person), person])).values()].slice(0, onCallsMax);
}
