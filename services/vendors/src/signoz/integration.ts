import { minuteMs, type OutsideFinding } from "@whence/protocol";
import { z } from "zod";
import { enteredAddress } from "../http/addresses.ts";
import { readPages } from "../http/read-pages.ts";
import { openVendorHttp, type VendorHttp } from "../http/vendor-http.ts";
import { answeredParts } from "../integrations/answered-parts.ts";
import type { FailureQuestion, Integration } from "../integrations/integration.ts";
import { mostTelling } from "../integrations/most-telling.ts";
import { repeatedLines } from "../integrations/repeated-lines.ts";
import { logsLink } from "./logs-link.ts";
import { errorLogs, failedSpans, logLine, rawQuery, rowSchema, type SignozRow, spanLine } from "./query.ts";

const inputsSchema = z.object({ instance_url: z.string(), api_key: z.string() });

/** https://signoz.io/docs/logs-management/logs-api/search-logs/ and https://signoz.io/api-reference/, QueryRangeV5 */
const rowsSchema = z.object({
  data: z.object({ data: z.object({ results: z.array(z.object({ rows: z.array(rowSchema).nullish() })).nullish() }) }),
});

/** https://signoz.io/api-reference/, GetAlerts */
const alertsSchema = z.object({
  data: z
    .array(
      z.object({
        labels: z.record(z.string(), z.string()),
        annotations: z.record(z.string(), z.string()).nullish(),
        startsAt: z.string(),
        status: z.object({ state: z.string() }),
      }),
    )
    .nullish(),
});

/** https://signoz.io/api-reference/, GetMyOrganization */
const organizationSchema = z.object({
  data: z.object({ displayName: z.string().nullish(), name: z.string().nullish() }),
});

const perPage = 100;
/** Maximum alarms, and as many failed spans, which leaves room for log lines. */
const findingsOfAKindMax = 10;

/** SigNoz: firing alerts, failed spans, and error logs. https://signoz.io/api-reference/ */
export const signoz: Integration = {
  kind: "observability",
  vendor: "SigNoz",
  checkedAgainst: "a double of our own, from the documented answers and those that SigNoz's own tests expect",
  connect(inputs, context) {
    const { instance_url: url, api_key: apiKey } = inputsSchema.parse(inputs);
    const baseUrl = enteredAddress(url);
    const http = openVendorHttp({ ...context, vendor: "SigNoz", baseUrl, headers: { "signoz-api-key": apiKey } });
    const address = baseUrl.href.replace(/\/+$/, "");
    return {
      async verify(signal) {
        const end = context.clock();
        const query = rawQuery("logs", "severity_number >= 17", { start: end - verifiedMs, end, limit: 1, offset: 0 });
        await http.json({ ...queryRange, json: query }, signal);
        return (await organizationOf(http, signal)) ?? baseUrl.host;
      },
      async ask(about, signal) {
        const asked = { http, address, about, signal };
        const parts = await answeredParts([alarmsOf(asked), failedSpansOf(asked), errorLogsOf(asked)], about);
        const [alarms = [], spans = [], logs = []] = parts;
        signal.throwIfAborted();
        const first = [mostTelling(alarms, about), spans].flatMap((part) => part.slice(0, findingsOfAKindMax));
        return [...first, ...logs];
      },
      close: () => http.close(),
    };
  },
};

interface Asked {
  readonly http: VendorHttp;
  /** Without a trailing slash; for links. */
  readonly address: string;
  readonly about: FailureQuestion;
  readonly signal: AbortSignal;
}

const verifiedMs = minuteMs;
const queryRange = { method: "POST", path: "/api/v5/query_range", schema: rowsSchema } as const;

/** Null when the key may not read it, which requires the role Admin; reading logs doesn't. */
async function organizationOf(http: VendorHttp, signal: AbortSignal): Promise<string | null> {
  const asked = { path: "/api/v2/orgs/me", schema: organizationSchema };
  const name = await http.json(asked, signal).then(
    ({ body }) => body.data.displayName || body.data.name || null,
    () => null,
  );
  signal.throwIfAborted();
  return name;
}

async function alarmsOf({ http, address, about, signal }: Asked): Promise<OutsideFinding[]> {
  const { body } = await http.json({ path: "/api/v1/alerts", schema: alertsSchema }, signal);
  return (body.data ?? []).flatMap(({ labels, annotations, startsAt: since, status }) => {
    if (status.state !== "active" || Date.parse(since) > Date.parse(about.to)) return [];
    const title = [labels.alertname, annotations?.summary].filter((text) => text).join(": ") || "alert";
    const target = labels["service.name"] ?? labels.service_name ?? labels.service ?? null;
    const rule = labels.ruleId;
    const url = rule ? `${address}/alerts/edit?${new URLSearchParams({ ruleId: rule })}` : `${address}/alerts`;
    return [{ kind: "problem", what: "alarm", vendor: "SigNoz", title, target, since, until: null, url }];
  });
}

async function failedSpansOf({ http, address, about, signal }: Asked): Promise<OutsideFinding[]> {
  const json = rawQuery("traces", failedSpans(about), { ...spanOf(about), limit: perPage, offset: 0 });
  const { body } = await http.json({ ...queryRange, json }, signal);
  const lines = rowsIn(body).map((row) => spanLine(row, address));
  return repeatedLines("SigNoz", lines, about);
}

async function errorLogsOf({ http, address, about, signal }: Asked): Promise<OutsideFinding[]> {
  const expression = errorLogs(about);
  const rows = await readPages<SignozRow, number>(async (next, own) => {
    const offset = next ?? 0;
    const range = { ...spanOf(about), limit: perPage, offset };
    const { body } = await http.json({ ...queryRange, json: rawQuery("logs", expression, range) }, own);
    const items = rowsIn(body);
    return { items, next: items.length < perPage ? null : offset + perPage };
  }, signal);
  const url = logsLink(address, expression, about);
  const lines = rows.map((row) => ({ ...logLine(row), url }));
  return repeatedLines("SigNoz", lines, about);
}

function rowsIn({ data }: z.infer<typeof rowsSchema>): readonly SignozRow[] {
  return (data.data.results ?? []).flatMap(({ rows }) => rows ?? []);
}

function spanOf({ from, to }: FailureQuestion): { readonly start: number; readonly end: number } {
  return { start: Date.parse(from), end: Date.parse(to) };
}
