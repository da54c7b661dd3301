import type { AlarmType, CompositeAlarm, MetricAlarm, MetricDataResult } from "@aws-sdk/client-cloudwatch";
import { type OutsideFinding, secondMs } from "@whence/protocol";
import { readPages } from "../http/read-pages.ts";
import type { FailureQuestion } from "../integrations/integration.ts";
import type { CloudWatchClients } from "./clients.ts";
import { alarmLink, metricsLink } from "./console-link.ts";

const vendor = "AWS CloudWatch";
const perPage = 100;
const datapointsMax = 5_000;
const periodSeconds = 60;
const saturatedPercent = 90;

/** Returns alarms that are active now and began before the end of the span, the latest first. */
export async function alarmsOn(
  clients: CloudWatchClients,
  region: string,
  about: FailureQuestion,
  signal: AbortSignal,
): Promise<OutsideFinding[]> {
  const alarms = await readPages<Alarm, string>(async (next, own) => {
    const answer = await clients.metrics((client, { DescribeAlarmsCommand }, options) => {
      const AlarmTypes: AlarmType[] = ["MetricAlarm", "CompositeAlarm"];
      const paging = { MaxRecords: perPage, ...(next === null ? {} : { NextToken: next }) };
      return client.send(new DescribeAlarmsCommand({ StateValue: "ALARM", AlarmTypes, ...paging }), options);
    }, own);
    return {
      items: [...(answer.MetricAlarms ?? []), ...(answer.CompositeAlarms ?? [])],
      next: answer.NextToken ?? null,
    };
  }, signal);
  const found = alarms.flatMap((alarm) => alarmOf(alarm, region));
  return found
    .filter((finding) => startOf(finding) <= Date.parse(about.to))
    .toSorted((a, b) => startOf(b) - startOf(a));
}

type Alarm = CompositeAlarm | MetricAlarm;

function alarmOf(alarm: Alarm, region: string): OutsideFinding[] {
  const since = alarm.StateTransitionedTimestamp ?? alarm.StateUpdatedTimestamp;
  if (!alarm.AlarmName || !since) return [];
  const title = [alarm.AlarmName, alarm.StateReason].filter((part) => part).join(": ");
  const dimensions = "Dimensions" in alarm ? (alarm.Dimensions ?? []) : [];
  const target = dimensions.map(({ Value }) => Value).join(", ") || null;
  const url = alarmLink(region, alarm.AlarmName);
  return [{ kind: "problem", what: "alarm", vendor, title, target, since: since.toISOString(), until: null, url }];
}

const startOf = (finding: OutsideFinding): number => (finding.kind === "problem" ? Date.parse(finding.since) : 0);

const failureCounts = ["Errors", "Throttles", "5XXError", "HTTPCode_Target_5XX_Count", "HTTPCode_ELB_5XX_Count"];
const usedPercents = ["CPUUtilization", "MemoryUtilization", "DiskSpaceUtilization"];

/**
 * Returns when metrics named after the service counted failures, or were close to their limit.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/search-expression-syntax.html
 */
export async function metricTrouble(
  clients: CloudWatchClients,
  region: string,
  about: FailureQuestion,
  signal: AbortSignal,
): Promise<OutsideFinding[]> {
  const name = about.service.replaceAll(/[^\w.-]+/g, " ").trim();
  if (name === "") return [];
  const searchOf = (metrics: readonly string[], statistic: string): string => {
    const named = metrics.map((metric) => `MetricName="${metric}"`).join(" OR ");
    return `SEARCH('"${name}" (${named})', '${statistic}', ${periodSeconds})`;
  };
  const failures = searchOf(failureCounts, "Sum");
  const used = searchOf(usedPercents, "Maximum");
  const { MetricDataResults = [] } = await clients.metrics(
    (client, { GetMetricDataCommand }, options) =>
      client.send(
        new GetMetricDataCommand({
          MetricDataQueries: [
            { Id: "failures", Expression: failures },
            { Id: "used", Expression: used },
          ],
          StartTime: new Date(about.from),
          EndTime: new Date(about.to),
          ScanBy: "TimestampAscending",
          MaxDatapoints: datapointsMax,
        }),
        options,
      ),
    signal,
  );
  return MetricDataResults.flatMap((result) => {
    const url = metricsLink(region, result.Id === "failures" ? failures : used, about);
    return troubleOf(result, about.service, url);
  });
}

function troubleOf(
  { Id, Label, Timestamps = [], Values = [] }: MetricDataResult,
  service: string,
  url: string | null,
): OutsideFinding[] {
  const isCount = Id === "failures";
  const points = Timestamps.map((time, index) => ({ time: time.getTime(), value: Values[index] ?? 0 }));
  const bad = points.filter(({ value }) => (isCount ? value > 0 : value >= saturatedPercent));
  if (bad.length === 0) return [];
  const [times, values] = [bad.map(({ time }) => time), bad.map(({ value }) => value)];
  const said = isCount
    ? `${values.reduce((sum, value) => sum + value, 0)} in ${bad.length} min`
    : `up to ${Math.max(...values).toFixed(0)}%`;
  return [
    {
      kind: "problem",
      what: isCount ? "failing-requests" : "saturation",
      vendor,
      target: service,
      title: `${Label ?? Id}: ${said}`,
      since: new Date(Math.min(...times)).toISOString(),
      until: new Date(Math.max(...times) + periodSeconds * secondMs).toISOString(),
      url,
    },
  ];
}
