import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import pg from "pg";
import { storageErrors } from "../../errors.ts";
import { fromPostgresText, toPostgresText } from "./postgres-text.ts";

/** The number of connections, and how long to wait for one. */
export interface PostgresPoolOptions {
  readonly connectionsMax: number;
  /** False for work of unbounded length: migrations, waiting for another process's migrations, and backups. */
  readonly hasTimeouts: boolean;
}

const applicationName = "whence";
const connectTimeoutMs = 5_000;
const idleConnectionMs = 30_000;
const keepAliveAfterMs = 10_000;
/** The server's bound for a statement, waiting for locks included. */
const statementTimeoutMs = 15_000;
/** The client's own timeout, for a server that stopped responding and can't enforce its own. */
const answerTimeoutMs = statementTimeoutMs + 5_000;
/** A transaction of a process that was suspended gives its locks back. */
const idleInTransactionTimeoutMs = 30_000;

/**
 * Connections to PostgreSQL. Whatever keeps a statement from being tried (no connection, a lost one, a server that
 * shuts down, is full, or stopped the statement for its time) rejects with `WHENCE_ERR_CONTROL_UNAVAILABLE`, naming
 * host and database and never the password; the connection is closed and the next statement opens another. Throws
 * the same error when the URL isn't valid.
 */
export function postgresPool(url: string, { connectionsMax, hasTimeouts }: PostgresPoolOptions): PostgresPool {
  const place = placeOf(url);
  const pool = new pg.Pool({
    connectionString: url,
    application_name: applicationName,
    max: connectionsMax,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleConnectionMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    types: { getTypeParser: parserOf },
    ...(hasTimeouts ? timeouts : { options: withoutTimeouts }),
  });
  // The pool drops a connection that is lost while idle; one that is lost in use rejects its query. Without a listener
  // either would end the process (https://node-postgres.com/apis/pool#events).
  pool.on("error", noticedByTheNextQuery);
  pool.on("connect", (client) => client.on("error", noticedByTheNextQuery));
  return {
    async connect() {
      try {
        return pooledClient(await pool.connect(), place);
      } catch (cause) {
        throw unavailable(place, cause);
      }
    },
    end: () => pool.end(),
    // Kysely reads them only to cancel a query over another connection, which nothing here asks for.
    options: {},
  };
}

const timeouts = {
  statement_timeout: statementTimeoutMs,
  query_timeout: answerTimeoutMs,
  idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
} as const;

/** Also where the server or the role sets some for everybody. */
const withoutTimeouts = "-c statement_timeout=0 -c idle_in_transaction_session_timeout=0 -c lock_timeout=0";

function noticedByTheNextQuery(): void {
  // The error comes again, as the rejection of whatever asks the server next.
}

function pooledClient(client: pg.PoolClient, place: string): PostgresPoolClient {
  let isLost = false;
  async function query<Row>(sql: string, parameters: readonly unknown[] = []): Promise<PostgresQueryResult<Row>> {
    try {
      return (await client.query(sql, parameters.map(toParameter))) as unknown as PostgresQueryResult<Row>;
    } catch (error) {
      if (!isUnavailability(error)) throw error;
      isLost = true;
      throw unavailable(place, error);
    }
  }
  return {
    query: query as PostgresPoolClient["query"],
    // A late answer would otherwise reach the next user of the connection.
    release: () => client.release(isLost),
  };
}

function toParameter(value: unknown): unknown {
  return typeof value === "string" ? toPostgresText(value) : value;
}

/**
 * https://www.postgresql.org/docs/current/errcodes-appendix.html: 08 connection exception, 53 insufficient resources,
 * 57P operator intervention, 57014 the statement timeout, 25P03 the one of an idle transaction, 25006 a server that was
 * made a standby. What is no error of the server's is one of the way there.
 */
function isUnavailability(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return true;
  return /^(08|53|57P|57014|25P03|25006)/.test(error.code ?? "");
}

function unavailable(place: string, cause: unknown): Error {
  return storageErrors.create("WHENCE_ERR_CONTROL_UNAVAILABLE", [place, reasonOf(cause)], { cause });
}

/** A host of several addresses fails with one error for each, and a message for none. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join(", ");
  return cause instanceof Error ? cause.message : String(cause);
}

function placeOf(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    const reason = "its URL is not of the form postgres://user:password@host:port/database";
    throw storageErrors.create("WHENCE_ERR_CONTROL_UNAVAILABLE", ["of PostgreSQL", reason]);
  }
  return `${parsed.host || parsed.searchParams.get("host") || "localhost"}${parsed.pathname}`;
}

type Parser = (value: string) => unknown;

const { builtins } = pg.types;
const ownParsers = new Map<number, Parser>([
  [builtins.TEXT, fromPostgresText],
  [builtins.VARCHAR, fromPostgresText],
  // Counts, all of them far from 2^53; the library would give text.
  [builtins.INT8, Number],
]);

function parserOf(oid: number, format?: "text" | "binary"): Parser {
  return (format !== "binary" && ownParsers.get(oid)) || pg.types.getTypeParser(oid, format);
}
