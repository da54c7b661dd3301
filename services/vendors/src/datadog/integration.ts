import { type OutsideFinding, secondMs } from "@whence/protocol";
import { z } from "zod";
import { vendorAddress } from "../http/addresses.ts";
import { readPages } from "../http/read-pages.ts";
import { openVendorHttp, type VendorHttp } from "../http/vendor-http.ts";
import { answeredParts } from "../integrations/answered-parts.ts";
import type { FailureQuestion, Integration } from "../integrations/integration.ts";
import { countedLines, type LogFinding } from "../integrations/log-lines.ts";
import { type DatadogEvent, eventFindings, eventsSchema } from "./events.ts";

/** https://docs.datadoghq.com/getting_started/site/ */
const sites = {
  us1: { api: "https://api.datadoghq.com", app: "https://app.datadoghq.com" },
  us3: { api: "https://api.us3.datadoghq.com", app: "https://us3.datadoghq.com" },
  us5: { api: "https://api.us5.datadoghq.com", app: "https://us5.datadoghq.com" },
  eu: { api: "https://api.datadoghq.eu", app: "https://app.datadoghq.eu" },
  ap1: { api: "https://api.ap1.datadoghq.com", app: "https://ap1.datadoghq.com" },
} as const;

const inputsSchema = z.object({
  api_key: z.string(),
  application_key: z.string(),
  region: z.enum(["us1", "us3", "us5", "eu", "ap1"]),
});

/** https://docs.datadoghq.com/api/latest/logs/search-logs-post/ */
const logsSchema = z.object({
  data: z
    .array(
      z.object({
        attributes: z.object({
          timestamp: z.string(),
          message: z.string().nullish(),
          status: z.string().nullish(),
          service: z.string().nullish(),
          host: z.string().nullish(),
        }),
      }),
    )
    .default([]),
  meta: z.object({ page: z.object({ after: z.string().nullish() }).optional() }).optional(),
});

/** https://docs.datadoghq.com/api/latest/monitors/monitors-group-search/ */
const monitorGroupsSchema = z.object({
  groups: z.array(
    z.object({
      monitor_id: z.number(),
      monitor_name: z.string(),
      group: z.string().nullish(),
      status: z.string(),
      /** In seconds. */
      last_triggered_ts: z.number().nullish(),
      group_tags: z.array(z.string()).nullish(),
      all_tags: z.array(z.string()).nullish(),
    }),
  ),
  metadata: z.object({ page_count: z.number().nullish() }),
});

/** https://docs.datadoghq.com/api/latest/dora-metrics/get-a-list-of-deployment-events/ */
const deploymentsSchema = z.object({
  data: z.array(
    z.object({
      attributes: z.object({
        service: z.string(),
        started_at: z.string(),
        finished_at: z.string().nullish(),
        env: z.string().nullish(),
        version: z.string().nullish(),
      }),
    }),
  ),
});

const vendor = "Datadog";
const perPage = 100;

/** Datadog: error logs, monitors in alert, events, and deployments. https://docs.datadoghq.com/api/latest/ */
export const datadog: Integration = {
  kind: "metrics-application-key",
  vendor,
  checkedAgainst:
    "traffic that Datadog recorded of its own API client, and a double of our own for what it didn't record",
  connect(inputs, context) {
    const { api_key: apiKey, application_key: applicationKey, region } = inputsSchema.parse(inputs);
    const site = sites[region];
    const http = openVendorHttp({
      ...context,
      vendor,
      baseUrl: vendorAddress(site.api, context),
      headers: { "dd-api-key": apiKey, "dd-application-key": applicationKey },
      retryAfterMs: waitUntilReset,
    });
    return {
      async verify(signal) {
        const filter = { query: "*", from: "now-1m", to: "now" };
        await http.json({ ...logSearch, json: { filter, page: { limit: 1 } } }, signal);
        return `Datadog ${region.toUpperCase()}`;
      },
      async ask(about, signal) {
        const opened = { http, app: site.app, about, signal };
        const asked = [deploymentsOf(opened), alarmsOf(opened), eventsOf(opened), logsOf(opened)];
        const [deployments = [], alarms = [], events = [], logs = []] = await answeredParts(asked, about);
        signal.throwIfAborted();
        // A monitor in alert also has events that say so.
        const alerting = new Set(alarms.map(({ url }) => url));
        const others = events.filter(({ kind, url }) => kind !== "problem" || !alerting.has(url));
        const changes = others.filter(({ kind }) => kind === "change-event");
        const problems = others.filter(({ kind }) => kind !== "change-event");
        return [...deployments, ...changes, ...alarms, ...problems, ...logs];
      },
      close: () => http.close(),
    };
  },
};

interface Opened {
  readonly http: VendorHttp;
  readonly app: string;
  readonly about: FailureQuestion;
  readonly signal: AbortSignal;
}

/** https://docs.datadoghq.com/api/latest/rate-limits/ */
function waitUntilReset(headers: Readonly<Record<string, string>>): number | null {
  const seconds = Number(headers["x-ratelimit-reset"] ?? Number.NaN);
  return Number.isNaN(seconds) ? null : seconds * secondMs;
}

const logSearch = { method: "POST", path: "/api/v2/logs/events/search", schema: logsSchema } as const;

type LogEntry = z.infer<typeof logsSchema>["data"][number];

/** Returns problems logged by the service, its host, and the hosts that it called. */
async function logsOf({ http, app, about, signal }: Opened): Promise<OutsideFinding[]> {
  const query = `(${namesQuery(about)}) status:(emergency OR alert OR critical OR error OR warn)`;
  const filter = { query, from: about.from, to: about.to };
  const entries = await readPages<LogEntry, string>(async (cursor, own) => {
    const page = { limit: perPage, ...(cursor === null ? {} : { cursor }) };
    const { body } = await http.json({ ...logSearch, json: { filter, sort: "-timestamp", page } }, own);
    return { items: body.data, next: body.meta?.page?.after ?? null };
  }, signal);
  const lines = entries.flatMap(({ attributes }): LogFinding[] => {
    const { message, status, service, host, timestamp: at } = attributes;
    const source = service ?? host ?? null;
    return message ? [{ kind: "log", vendor, level: status ?? null, message, source, at, count: 1, url: null }] : [];
  });
  const url = explorerLink(`${app}/logs`, query, about);
  return countedLines(lines, about.at).map((line) => ({ ...line, url }));
}

/** Returns the address at which an explorer of Datadog shows what a query finds in the span. */
function explorerLink(page: string, query: string, { from, to }: FailureQuestion): string {
  const [from_ts = "", to_ts = ""] = [from, to].map((time) => String(Date.parse(time)));
  return `${page}?${new URLSearchParams({ query, from_ts, to_ts, live: "false" })}`;
}

/** Datadog's tags are in lowercase; attributes of logs aren't. https://docs.datadoghq.com/getting_started/tagging/ */
function namesQuery({ service, host, calledHosts }: FailureQuestion): string {
  const hosts = [host, ...calledHosts].filter((name) => name !== "");
  const terms = [["service", service] as const, ...hosts.map((name) => ["host", name] as const)];
  const spelled = terms.flatMap(([tag, name]) => [name, name.toLowerCase()].map((one) => `${tag}:${quoted(one)}`));
  return [...new Set(spelled)].join(" OR ");
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}

/** Returns monitors that are in alert now and began before the end of the span, each once, with its groups in alert. */
async function alarmsOf({ http, app, about, signal }: Opened): Promise<OutsideFinding[]> {
  const groups = await readPages<MonitorGroup, number>(async (next, own) => {
    const page = next ?? 0;
    const query = { query: "group_status:alert", page, per_page: perPage };
    const asked = { path: "/api/v1/monitor/groups/search", query, schema: monitorGroupsSchema };
    const { body } = await http.json(asked, own);
    return { items: body.groups, next: page + 1 < (body.metadata.page_count ?? 0) ? page + 1 : null };
  }, signal);
  const alerting = new Map<number, MonitorGroup[]>();
  for (const group of groups) {
    const isAlerting = group.status === "Alert" && triggeredMs(group) > 0;
    if (!isAlerting || triggeredMs(group) > Date.parse(about.to)) continue;
    alerting.set(group.monitor_id, [...(alerting.get(group.monitor_id) ?? []), group]);
  }
  const firstTriggered = (ofMonitor: readonly MonitorGroup[]): number => Math.min(...ofMonitor.map(triggeredMs));
  return [...alerting.values()]
    .sort((a, b) => firstTriggered(b) - firstTriggered(a))
    .flatMap((ofMonitor) => alarmOf(ofMonitor, firstTriggered(ofMonitor), app));
}

type MonitorGroup = z.infer<typeof monitorGroupsSchema>["groups"][number];

const triggeredMs = (group: MonitorGroup): number => (group.last_triggered_ts ?? 0) * secondMs;

function alarmOf(groups: readonly MonitorGroup[], sinceMs: number, app: string): OutsideFinding[] {
  const [first] = groups;
  if (!first) return [];
  // `total`, `*`, and `@SYNTHETICS_OVERALL@` mean the whole monitor.
  const names = groups.flatMap(({ group }) => (group && !/^(?:total|\*|@.*@)$/.test(group) ? [group] : []));
  const title = names.length === 0 ? first.monitor_name : `${first.monitor_name} (${[...new Set(names)].join(", ")})`;
  const target = targetOf(groups.flatMap((group) => [...(group.group_tags ?? []), ...(group.all_tags ?? [])]));
  return [
    {
      kind: "problem",
      what: "alarm",
      vendor,
      title,
      target,
      since: new Date(sinceMs).toISOString(),
      until: null,
      url: `${app}/monitors/${first.monitor_id}`,
    },
  ];
}

function targetOf(tags: readonly string[]): string | null {
  const tag = ["service:", "host:"].map((name) => tags.find((one) => one.startsWith(name))).find((one) => one);
  return tag?.slice(tag.indexOf(":") + 1) ?? null;
}

/** Returns monitors' reports and changes of everything, and other events of the service and its hosts. */
async function eventsOf({ http, app, about, signal }: Opened): Promise<OutsideFinding[]> {
  const filter = {
    query: `source:alert OR @evt.category:change OR ${namesQuery(about)} OR ${quoted(about.service)}`,
    from: about.from,
    to: about.to,
  };
  const found = await readPages<DatadogEvent, string>(async (cursor, own) => {
    const page = { limit: perPage, ...(cursor === null ? {} : { cursor }) };
    const json = { filter, sort: "-timestamp", page };
    const { body } = await http.json(
      { method: "POST", path: "/api/v2/events/search", json, schema: eventsSchema },
      own,
    );
    return { items: body.data.map(({ attributes }) => attributes), next: body.meta?.page?.after ?? null };
  }, signal);
  return eventFindings(found, app, explorerLink(`${app}/event/explorer`, filter.query, about));
}

/** Covers every service, because a deployment of a called one may be the cause. */
async function deploymentsOf({ http, app, about, signal }: Opened): Promise<OutsideFinding[]> {
  const attributes = { from: about.from, to: about.to, limit: perPage };
  const json = { data: { type: "dora_deployments_list_request", attributes } };
  const asked = { method: "POST", path: "/api/v2/dora/deployments", json, schema: deploymentsSchema } as const;
  const { body } = await http.json(asked, signal);
  const found = body.data.map(({ attributes: { service, version, env, started_at, finished_at } }): OutsideFinding => {
    const title = [version ?? "deployed", env ? `to ${env}` : ""].join(" ").trim();
    const at = finished_at ?? started_at;
    return {
      kind: "change-event",
      what: "deployment",
      vendor,
      title,
      target: service,
      at,
      by: null,
      failed: null,
      // https://docs.datadoghq.com/dora_metrics/ links to this page, and to none with a span.
      url: `${app}/ci/dora`,
    };
  });
  return found;
}
