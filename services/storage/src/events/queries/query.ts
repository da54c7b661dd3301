import type { ClickHouseClient } from "@clickhouse/client";

/**
 * Asks ClickHouse; every value goes as a parameter, none into the text. `{database:Identifier}` is the store's database.
 * Returns the rows, for the caller to parse.
 */
export type Ask = (
  query: string,
  parameters: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
) => Promise<readonly unknown[]>;

/** {@link Ask} over a client. */
export function askThrough(client: ClickHouseClient, database: string): Ask {
  return async (query, parameters, signal) => {
    const result = await client.query({
      query,
      query_params: { ...parameters, database },
      format: "JSONEachRow",
      ...(signal && { abort_signal: signal }),
    });
    return result.json();
  };
}
