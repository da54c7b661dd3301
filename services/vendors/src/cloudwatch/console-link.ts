import type { FailureQuestion } from "../integrations/integration.ts";

/** The span that a page shows. */
type Span = Pick<FailureQuestion, "from" | "to">;

/**
 * The partitions whose console is documented: https://docs.aws.amazon.com/whitepapers/latest/aws-fault-isolation-boundaries/partitions.html.
 * Isolated ones, such as that of `us-iso-east-1`, have their own.
 */
const partitions = [
  [/^cn-\w+-\d+$/, "amazonaws.cn"],
  [/^us-gov-\w+-\d+$/, "amazonaws-us-gov.com"],
  [/^[a-z]{2}-\w+-\d+$/, "aws.amazon.com"],
] as const;

/** Returns the address of a page of CloudWatch in the console of a region; null where the console's isn't known. */
export function consoleLink(region: string, page: string): string | null {
  const [, domain] = partitions.find(([regions]) => regions.test(region)) ?? [];
  return domain === undefined ? null : `https://${region}.console.${domain}/cloudwatch/home?region=${region}#${page}`;
}

/** Returns the address at which the console shows an alarm. */
export function alarmLink(region: string, name: string): string | null {
  return consoleLink(region, `alarmsV2:alarm/${encodeURIComponent(name.toWellFormed())}`);
}

/**
 * Returns the address at which Logs Insights has a query over log groups, as Grafana's data source for CloudWatch builds
 * it.
 */
export function logsLink(region: string, query: string, groups: readonly string[], { from, to }: Span): string | null {
  const source = groups.map((group) => `~${text(group)}`).join("");
  const span = `end~${text(to)}~start~${text(from)}~timeType~'ABSOLUTE~tz~'UTC`;
  return consoleLink(
    region,
    `logsV2:logs-insights$3FqueryDetail$3D~(${span}~editorString~${text(query)}~source~(${source}))`,
  );
}

/** Returns the address at which the console draws an expression over metrics, as AWS's own canaries build it. */
export function metricsLink(region: string, expression: string, { from, to }: Span): string | null {
  const metrics = `metrics~(~(~(expression~${text(expression)})))`;
  const span = `start~${text(from)}~end~${text(to)}`;
  return consoleLink(
    region,
    `metricsV2:graph=~(${metrics}~view~'timeSeries~stacked~false~region~${text(region)}~${span})`,
  );
}

/** The console's state is JSURL, in which `*` marks an escaped byte. */
function text(value: string): string {
  const escaped = encodeURIComponent(value.toWellFormed()).replaceAll(
    /[!'()*~]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
  return `'${escaped.replaceAll("%", "*")}`;
}
