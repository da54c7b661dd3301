import type { GrafanaQuestion } from "./grafana-question.ts";

/** A query of one data source. */
interface ExploredQuery {
  readonly type: "loki" | "prometheus";
  readonly uid: string;
  readonly expr: string;
}

/** The only version so far. */
const schemaVersion = "1";

/**
 * Returns the address at which Grafana shows a query's results over the span that was asked about.
 * https://grafana.com/docs/grafana/latest/explore/get-started-with-explore/#generate-explore-urls-from-external-tools
 */
export function exploreLink(
  { address, about }: Pick<GrafanaQuestion, "address" | "about">,
  { type, uid, expr }: ExploredQuery,
): string {
  const [from, to] = [about.from, about.to].map((time) => String(Date.parse(time)));
  const pane = {
    datasource: uid,
    queries: [{ refId: "A", datasource: { type, uid }, expr }],
    range: { from, to },
  };
  return `${address}/explore?${new URLSearchParams({ schemaVersion, panes: JSON.stringify({ whence: pane }) })}`;
}
