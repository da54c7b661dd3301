import { readProperty } from "../runtime/read-property.ts";

/** Whether an error's own property is reported. */
export type IsErrorField = (error: object, name: string) => boolean;

/**
 * Own properties of errors that say what kind of failure it was and where. None of them carries what was being stored or
 * sent, as `detail`, `where`, `sql`, `parameters`, `value`, `body`, `cmd` and `instance` do.
 */
const usualNames = [
  // Node.js: system errors, modules, child processes, OpenSSL, SQLite.
  ["code", "errno", "syscall", "path", "dest", "address", "port", "hostname", "host", "specifier"],
  ["signal", "killed", "exitCode", "library", "reason", "function", "errcode", "errstr", "operator"],
  // HTTP clients and servers: axios, got, undici, node-fetch, http-errors, body-parser, Fastify, Stripe.
  ["status", "statusCode", "statusText", "isAxiosError", "method", "type", "expose", "limit", "length"],
  ["encoding", "charset", "validationContext", "param", "timeout", "retryAfter", "requestId"],
  // PostgreSQL.
  ["severity", "schema", "table", "column", "dataType", "constraint", "position", "internalPosition", "hint"],
  ["file", "line", "routine"],
  // MySQL, SQL Server, Oracle.
  ["sqlState", "fatal", "state", "class", "serverName", "procName", "lineNumber", "errorNum", "offset"],
  // MongoDB, Mongoose, Sequelize, Prisma.
  ["codeName", "kind", "valueType", "validatorKey", "validatorName", "errorCode", "clientVersion"],
  // AWS, Kafka, AMQP.
  ["$fault", "$service", "region", "bucketName", "retryable", "retriable", "topic", "partition", "broker"],
  ["classId", "methodId"],
].flat();

/** Names that other errors use for data: reported where another property shows which library made the error. */
const namesBeside: Readonly<Record<string, (error: object) => boolean>> = {
  // Node.js: the text that isn't a URL, unless it may have a password in it.
  input: (error) =>
    readProperty(error, "code") === "ERR_INVALID_URL" && !String(readProperty(error, "input")).includes("@"),
  // SQL Server.
  number: (error) => typeof readProperty(error, "class") === "number",
  // gRPC, whose message repeats it.
  details: (error) => typeof readProperty(error, "metadata") === "object",
};

/** Returns whether an own property is reported: one with a usual name, or with one of `added`, ignoring case. */
export function errorFieldsOf(added: readonly string[]): IsErrorField {
  const names = new Set([...usualNames, ...added].map((name) => name.toLowerCase()));
  return (error, name) =>
    names.has(name.toLowerCase()) || (Object.hasOwn(namesBeside, name) && namesBeside[name]?.(error) === true);
}
