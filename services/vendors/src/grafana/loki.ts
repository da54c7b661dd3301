import type { OutsideFinding } from "@whence/protocol";
import { z } from "zod";
import { epochNanoseconds } from "../integrations/epoch-times.ts";
import { readLine } from "../integrations/line-text.ts";
import { type LogLine, repeatedLines } from "../integrations/repeated-lines.ts";
import { serviceNames } from "../integrations/service-names.ts";
import { exploreLink } from "./explore-link.ts";
import type { GrafanaQuestion } from "./grafana-question.ts";

/** https://grafana.com/docs/loki/latest/reference/loki-http-api/#query-labels */
const labelsSchema = z.object({ data: z.array(z.string()).nullish() });

/** https://grafana.com/docs/loki/latest/reference/loki-http-api/#query-logs-within-a-range-of-time */
const streamsSchema = z.object({
  data: z.object({
    result: z.array(
      z.object({
        stream: z.record(z.string(), z.string()),
        /** A time in nanoseconds, a line and, in some versions, more about it. */
        values: z.array(z.tuple([epochNanoseconds, z.string()]).rest(z.unknown())),
      }),
    ),
  }),
});

/** Labels that name the writer of a stream, the most common first. Loki adds `service_name` itself since 3.0. */
const sourceLabels = ["service_name", "service", "app", "container", "job"];
const labelsAskedMax = 3;
const linesMax = 200;
const nanosecondsPerMs = 1_000_000n;

const troubled = "(?i)(error|exception|fatal|panic|critical|fail|time(d )?out|refused)";

/** Returns error lines of the failing service and those that it called, counted, from a Loki data source. */
export async function lokiLines(question: GrafanaQuestion, uid: string): Promise<OutsideFinding[]> {
  const { http, about, signal } = question;
  const api = `/api/datasources/proxy/uid/${encodeURIComponent(uid)}/loki/api/v1`;
  const span = { start: nanoseconds(about.from), end: nanoseconds(about.to) };
  const { body } = await http.json({ path: `${api}/labels`, query: span, schema: labelsSchema }, signal);
  const labels = sourceLabels.filter((label) => body.data?.includes(label)).slice(0, labelsAskedMax);
  const answers = await Promise.all(
    labels.map(async (label) => {
      const expr = logQuery(label, serviceNames(about));
      const query = { ...span, query: expr, limit: linesMax, direction: "backward" };
      const answer = await http.json({ path: `${api}/query_range`, query, schema: streamsSchema }, signal);
      return { url: exploreLink(question, { type: "loki", uid, expr }), streams: answer.body.data.result };
    }),
  );
  const lines = new Map<string, LogLine>();
  for (const { url, streams } of answers) {
    for (const { stream, values } of streams) {
      for (const [time, line] of values) {
        const key = JSON.stringify([stream, time, line]);
        // A stream may have several of the labels.
        if (!lines.has(key)) lines.set(key, lineOf(stream, time, line, url));
      }
    }
  }
  return repeatedLines("Grafana", [...lines.values()], about);
}

/** https://grafana.com/docs/loki/latest/query/log_queries/ */
function logQuery(label: string, names: readonly string[]): string {
  const pattern = names.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|");
  return `{${label}=~${JSON.stringify(`(?i).*(${pattern}).*`)}} |~ ${JSON.stringify(troubled)}`;
}

function lineOf(stream: Readonly<Record<string, string>>, time: string, line: string, url: string): LogLine {
  const { level, message } = readLine(line);
  const source = sourceLabels.map((name) => stream[name]).find((name) => name) ?? null;
  const detected = stream.detected_level === "unknown" ? undefined : stream.detected_level;
  return { level: level ?? stream.level ?? detected ?? null, message, source, at: time, url };
}

function nanoseconds(time: string): string {
  return String(BigInt(Date.parse(time)) * nanosecondsPerMs);
}
