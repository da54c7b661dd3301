import type { ClickHouseClient } from "@clickhouse/client";

/** Asks ClickHouse; every value goes as a parameter, none into the text. Gives the rows, to be parsed by who asked. */
export type Ask = (query: string, parameters: Readonly<Record<string, unknown>>) => Promise<readonly unknown[]>;

/** {@link Ask} over a client. */
export function askThrough(client: ClickHouseClient): Ask {
  return async (query, parameters) => {
    const result = await client.query({ query, query_params: { ...parameters }, format: "JSONEachRow" });
    return result.json();
  };
}
