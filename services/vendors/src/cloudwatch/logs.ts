import { setTimeout as delay } from "node:timers/promises";
import type { ResultField } from "@aws-sdk/client-cloudwatch-logs";
import { secondMs } from "@whence/protocol";
import { VendorFailure } from "../http/vendor-failure.ts";
import type { FailureQuestion } from "../integrations/integration.ts";
import { countedLines, type LogFinding } from "../integrations/log-lines.ts";
import type { CloudWatchClients } from "./clients.ts";
import { logsLink } from "./console-link.ts";

/** Each searched group costs by its size; AWS takes at most 50. */
const groupsMax = 10;
const groupsListedMax = 50;
const linesMax = 100;
const lineLengthMax = 1_000;
const pollEveryMs = 250;
/** Measured from the first request; what a query found by then is used. */
const queriedWithinMs = 4_500;

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_QuerySyntax.html */
const query = [
  `fields @timestamp, substr(@message, 0, ${lineLengthMax}) as line, @log`,
  "filter @message like /(?i)(error|exception|fatal|panic|critical|warn|refused|timed out|timeout|out of memory)/",
  "sort @timestamp desc",
  `limit ${linesMax}`,
].join(" | ");

/** Returns error lines from the log groups named after the service, by CloudWatch Logs Insights. */
export async function troubleLogged(
  clients: CloudWatchClients,
  region: string,
  about: FailureQuestion,
  clock: () => number,
  signal: AbortSignal,
): Promise<LogFinding[]> {
  const startedAt = clock();
  const logGroupNames = await groupsOf(clients, about.service, signal);
  if (logGroupNames.length === 0) return [];
  const startTime = Math.floor(Date.parse(about.from) / secondMs);
  const endTime = Math.ceil(Math.min(Date.parse(about.to), Math.max(startedAt, Date.parse(about.at))) / secondMs);
  const { queryId } = await clients.logs(
    (client, { StartQueryCommand }, options) =>
      client.send(
        new StartQueryCommand({ logGroupNames, startTime, endTime, queryString: query, limit: linesMax }),
        options,
      ),
    signal,
  );
  if (!queryId) return [];
  const isTimeUp = (): boolean => clock() - startedAt >= queriedWithinMs;
  const rows = await resultsOf(clients, queryId, isTimeUp, signal);
  const url = logsLink(region, query, logGroupNames, about);
  return countedLines(
    rows.flatMap((row) => lineOf(row, url)),
    about.at,
  );
}

/** The shortest names come first, as the closest to the service's. A pattern may contain only these characters. */
async function groupsOf(clients: CloudWatchClients, service: string, signal: AbortSignal): Promise<string[]> {
  const [pattern] = (service.match(/[\w.\-/#]+/g) ?? []).toSorted((a, b) => b.length - a.length);
  if (!pattern) return [];
  const { logGroups = [] } = await clients.logs(
    (client, { DescribeLogGroupsCommand }, options) =>
      client.send(new DescribeLogGroupsCommand({ logGroupNamePattern: pattern, limit: groupsListedMax }), options),
    signal,
  );
  const names = logGroups.flatMap(({ logGroupName }) => logGroupName ?? []);
  return names.toSorted((a, b) => a.length - b.length).slice(0, groupsMax);
}

async function resultsOf(
  clients: CloudWatchClients,
  queryId: string,
  isTimeUp: () => boolean,
  signal: AbortSignal,
): Promise<ResultField[][]> {
  for (;;) {
    const { status = "Unknown", results = [] } = await clients.logs(
      (client, { GetQueryResultsCommand }, options) => client.send(new GetQueryResultsCommand({ queryId }), options),
      signal,
    );
    if (status === "Complete") return results;
    if (status !== "Running" && status !== "Scheduled")
      throw new VendorFailure("unexpected-answer", `AWS ended the search of the logs with ${status}`);
    if (isTimeUp()) {
      await stop(clients, queryId, signal);
      return results;
    }
    await delay(pollEveryMs, undefined, { signal });
  }
}

/** A query costs by the data it reads, so it is stopped when no one waits for it. Without permission, it runs on. */
async function stop(clients: CloudWatchClients, queryId: string, signal: AbortSignal): Promise<void> {
  const stopping = clients.logs(
    (client, { StopQueryCommand }, options) => client.send(new StopQueryCommand({ queryId }), options),
    signal,
  );
  await stopping.catch((error: unknown) => {
    if (!(error instanceof VendorFailure)) throw error;
  });
}

/** `@timestamp` is UTC, written as `2026-03-01 11:59:00.000`; `@log` is the account ID and the group's name. */
function lineOf(fields: readonly ResultField[], url: string | null): LogFinding[] {
  const textOf = (name: string): string | null => fields.find(({ field }) => field === name)?.value ?? null;
  const [time, line, log] = [textOf("@timestamp"), textOf("line"), textOf("@log")];
  if (time === null || line === null) return [];
  const level = /\b(fatal|critical|error|warn)/i.exec(line)?.[1]?.toLowerCase() ?? null;
  const source = log?.replace(/^\d+:/, "") ?? null;
  const at = `${time.replace(" ", "T")}Z`;
  return [{ kind: "log", vendor: "AWS CloudWatch", level, message: line.trim(), source, at, count: 1, url }];
}
