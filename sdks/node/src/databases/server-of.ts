import type { DatabaseQuery } from "../core/database-call.ts";
import { readProperty } from "../runtime/read-property.ts";

/** The address of a database. */
export type DatabaseServer = Pick<DatabaseQuery, "host" | "port" | "database">;

/** Returns the address and the database in a connection's settings; unknown ones are absent. */
export function serverOf(settings: unknown): DatabaseServer {
  const [host, port, database] = ["host", "port", "database"].map((name) => readProperty(settings, name));
  return {
    host: typeof host === "string" ? host : undefined,
    port: typeof port === "number" ? port : undefined,
    database: typeof database === "string" ? database : undefined,
  };
}
