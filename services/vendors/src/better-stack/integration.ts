import type { OutsideFinding } from "@whence/protocol";
import { z } from "zod";
import { vendorAddress } from "../http/addresses.ts";
import { readPages } from "../http/read-pages.ts";
import { openVendorHttp, type VendorHttp } from "../http/vendor-http.ts";
import type { FailureQuestion, Integration, VendorFinding } from "../integrations/integration.ts";

const inputsSchema = z.object({ api_token: z.string() });

/** https://betterstack.com/docs/uptime/api/list-all-incidents/ */
const outageSchema = z.object({
  id: z.string(),
  attributes: z.object({
    name: z.string().nullable(),
    url: z.string().nullable(),
    cause: z.string().nullable(),
    started_at: z.string(),
    resolved_at: z.string().nullable(),
    origin_url: z.string().nullish(),
  }),
});
type Outage = z.infer<typeof outageSchema>;
const incidentsSchema = z.object({
  data: z.array(outageSchema),
  pagination: z.object({ next: z.string().nullable() }).optional(),
});

/** https://betterstack.com/docs/uptime/api/list-all-on-call-calendars/ */
const onCallsSchema = z.object({
  data: z.array(
    z.object({
      attributes: z.object({ name: z.string().nullable() }),
      relationships: z.object({
        on_call_users: z.object({ data: z.array(z.object({ id: z.string(), meta: z.object({ email: z.string() }) })) }),
      }),
    }),
  ),
});

const perPage = 50;

/** Better Stack Uptime: outages that its monitors saw, and who is on call. https://betterstack.com/docs/uptime/api/ */
export const betterStack: Integration = {
  kind: "uptime",
  vendor: "Better Stack",
  checkedAgainst: "a double of our own, from the documented answers",
  connect(inputs, context) {
    const { api_token: token } = inputsSchema.parse(inputs);
    const http = openVendorHttp({
      ...context,
      vendor: "Better Stack",
      baseUrl: vendorAddress("https://uptime.betterstack.com/api", context),
      headers: { authorization: `Bearer ${token}` },
    });
    return {
      async verify(signal) {
        await http.json({ path: "/v3/incidents", query: { per_page: 1 }, schema: incidentsSchema }, signal);
        return "Uptime";
      },
      async ask(about, signal) {
        const [outages, onCall] = await Promise.all([outagesOf(http, about, signal), onCallOf(http, signal)]);
        return [...outages, ...onCall];
      },
      close: () => http.close(),
    };
  },
};

async function outagesOf(http: VendorHttp, about: FailureQuestion, signal: AbortSignal): Promise<OutsideFinding[]> {
  const span = { from: about.from.slice(0, 10), to: about.to.slice(0, 10) };
  const outages = await readPages<Outage, number>(async (next, own) => {
    const page = next ?? 1;
    const query = { ...span, per_page: perPage, page };
    const { body } = await http.json({ path: "/v3/incidents", query, schema: incidentsSchema }, own);
    return { items: body.data, next: body.pagination?.next ? page + 1 : null };
  }, signal);
  // Better Stack is queried by whole days.
  return outages.filter((outage) => isWithin(outage, about)).map(outageFinding);
}

function isWithin({ attributes: { started_at: since, resolved_at: until } }: Outage, about: FailureQuestion): boolean {
  return Date.parse(since) <= Date.parse(about.to) && (until === null || Date.parse(until) >= Date.parse(about.from));
}

/** In Better Stack's own links, team 0 is the one that the reader has open. */
const incidentsPage = "https://uptime.betterstack.com/team/0/incidents";

function outageFinding({ id, attributes }: Outage): OutsideFinding {
  const { name, url, cause, started_at: since, resolved_at: until, origin_url: origin } = attributes;
  const title = [name, cause].filter((text) => text !== null && text !== "").join(": ");
  const target = url === null ? name : (URL.parse(url)?.host ?? name);
  const page = origin ?? `${incidentsPage}/${encodeURIComponent(id)}`;
  return { kind: "problem", what: "outage", vendor: "Better Stack", title, target, since, until, url: page };
}

async function onCallOf(http: VendorHttp, signal: AbortSignal): Promise<VendorFinding[]> {
  const { body } = await http.json({ path: "/v2/on-calls", schema: onCallsSchema }, signal);
  return body.data.flatMap(({ attributes: { name }, relationships: { on_call_users: users } }) =>
    users.data.map(({ meta: { email } }): VendorFinding => {
      return {
        kind: "record",
        what: "on-call",
        vendor: "Better Stack",
        title: email,
        target: name,
        at: null,
        url: null,
        email,
      };
    }),
  );
}
