import type { FailureQuestion } from "../integrations/integration.ts";

/**
 * Returns the address at which SigNoz lists the logs that match an expression over the span, in the form of the links
 * in its alerts. https://github.com/SigNoz/signoz/blob/main/pkg/contextlinks/links.go
 */
export function logsLink(
  address: string,
  expression: string,
  { from, to }: Pick<FailureQuestion, "from" | "to">,
): string {
  const [startTime = "", endTime = ""] = [from, to].map((time) => String(Date.parse(time)));
  const listed = { queryName: "A", dataSource: "logs", aggregateOperator: "noop", expression: "A", disabled: false };
  const query = {
    queryType: "builder",
    builder: { queryData: [{ ...listed, stepInterval: 60, filter: { expression } }], queryFormulas: [] },
  };
  // SigNoz decodes the query twice.
  const compositeQuery = encodeURIComponent(JSON.stringify(query));
  return `${address}/logs/logs-explorer?${new URLSearchParams({ compositeQuery, startTime, endTime })}`;
}
