import { type ClickHouseClient, createClient } from "@clickhouse/client";
import { createChdbConnection } from "chdb/connection";

type Connection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>["connection"]>;

/** ClickHouse in this process, on a directory. One process, one directory: libchdb binds it for the process's life. */
export function openChdbClient({ path }: { readonly path: string }): ClickHouseClient {
  // Made for this option; chdb declares it against its own copy of the client's types.
  const connection = createChdbConnection({ path }) as unknown as Connection;
  return createClient({ connection });
}
