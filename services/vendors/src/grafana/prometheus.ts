import { type OutsideFinding, secondMs } from "@whence/protocol";
import { z } from "zod";
import { answeredParts } from "../integrations/answered-parts.ts";
import { epochSeconds } from "../integrations/epoch-times.ts";
import { serviceNames } from "../integrations/service-names.ts";
import { alarmOf, type Labels, labeledTarget } from "./alerts.ts";
import { exploreLink } from "./explore-link.ts";
import type { GrafanaQuestion } from "./grafana-question.ts";

/** A time, and a value. */
const sampleSchema = z.tuple([epochSeconds, z.string()]);
const metricSchema = z.record(z.string(), z.string());

/** https://prometheus.io/docs/prometheus/latest/querying/api/#range-queries */
const rangeSchema = z.object({
  data: z.object({ result: z.array(z.object({ metric: metricSchema, values: z.array(sampleSchema) })) }),
});

/** https://prometheus.io/docs/prometheus/latest/querying/api/#instant-queries */
const instantSchema = z.object({
  data: z.object({ result: z.array(z.object({ metric: metricSchema, value: sampleSchema })) }),
});

const stepSeconds = 30;

/**
 * Returns what a Prometheus data source saw in the span: alerts that fired, targets that were down, processes that
 * started.
 */
export async function prometheusProblems(question: GrafanaQuestion, uid: string): Promise<OutsideFinding[]> {
  const parts = [alertsThatFired(question, uid), targetsDown(question, uid), restarts(question, uid)];
  return (await answeredParts(parts, question.about)).flat();
}

async function alertsThatFired(question: GrafanaQuestion, uid: string): Promise<OutsideFinding[]> {
  const series = await range(question, uid, 'ALERTS{alertstate="firing"}');
  return series.flatMap(({ metric, since, until }) =>
    alarmOf(question, { labels: metric, summary: undefined, since, until }),
  );
}

async function targetsDown(question: GrafanaQuestion, uid: string): Promise<OutsideFinding[]> {
  const expr = "up == 0";
  const series = await range(question, uid, expr);
  const url = exploreLink(question, { type: "prometheus", uid, expr });
  return series.map(({ metric, since, until }) => {
    const title = `Prometheus can't scrape ${metric.job ?? "a target"} at ${metric.instance ?? "its address"}`;
    const target = labeledTarget(metric);
    return { kind: "problem", what: "failed-check", vendor: "Grafana", title, target, since, until, url };
  });
}

/** Covers only the failing service and those that it called: others restart for reasons of their own. */
async function restarts(question: GrafanaQuestion, uid: string): Promise<OutsideFinding[]> {
  const { http, about, until, signal } = question;
  const url = exploreLink(question, { type: "prometheus", uid, expr: "process_start_time_seconds" });
  const [from, to] = [secondsOf(about.from), secondsOf(until)];
  const query = { query: `process_start_time_seconds >= ${from} <= ${to}`, time: to };
  const { body } = await http.json({ path: proxied(uid, "/api/v1/query"), query, schema: instantSchema }, signal);
  const names = [about.host, ...serviceNames(about)].filter((name) => name !== "").map((name) => name.toLowerCase());
  return body.data.result.flatMap(({ metric, value: [, started] }) => {
    const isRelated = Object.values(metric).some((label) => names.some((name) => label.toLowerCase().includes(name)));
    const since = epochSeconds.safeParse(Number(started)).data;
    if (!isRelated || since === undefined) return [];
    const title = `${metric.instance ?? metric.pod ?? "the process"} started`;
    const target = labeledTarget(metric);
    return [{ kind: "problem", what: "restart", vendor: "Grafana", title, target, since, until: since, url }];
  });
}

interface Lasting {
  readonly metric: Labels;
  readonly since: string;
  /** Null while it lasts. */
  readonly until: string | null;
}

/** Returns, for each series in the query's result, the times of its first and last sample in the span. */
async function range(
  { http, about, until, signal }: GrafanaQuestion,
  uid: string,
  expression: string,
): Promise<Lasting[]> {
  const end = secondsOf(until);
  // The last step is the end itself, to include what began seconds ago.
  const start = end - Math.floor((end - secondsOf(about.from)) / stepSeconds) * stepSeconds;
  const query = { query: expression, start, end, step: stepSeconds };
  const { body } = await http.json({ path: proxied(uid, "/api/v1/query_range"), query, schema: rangeSchema }, signal);
  return body.data.result.flatMap(({ metric, values }) => {
    const [first, last] = [values[0]?.[0], values.at(-1)?.[0]];
    if (first === undefined || last === undefined) return [];
    const isOver = secondsOf(last) < end - stepSeconds;
    return [{ metric, since: first, until: isOver ? last : null }];
  });
}

/** https://grafana.com/docs/grafana/latest/developers/http_api/data_source/#data-source-proxy-calls */
function proxied(uid: string, path: string): string {
  return `/api/datasources/proxy/uid/${encodeURIComponent(uid)}${path}`;
}

function secondsOf(time: string): number {
  return Date.parse(time) / secondMs;
}
