import type { DatabaseQuery } from "../core/database-call.ts";
import { readProperty } from "../runtime/read-property.ts";

/** Where a database is. */
export type DatabaseServer = Pick<DatabaseQuery, "host" | "port" | "database">;

/** Returns the address and the database of a connection's settings, as far as they are known. */
export function serverOf(settings: unknown): DatabaseServer {
  const [host, port, database] = ["host", "port", "database"].map((name) => readProperty(settings, name));
  return {
    host: typeof host === "string" ? host : undefined,
    port: typeof port === "number" ? port : undefined,
    database: typeof database === "string" ? database : undefined,
  };
}
