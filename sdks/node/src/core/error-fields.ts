import { readProperty } from "../runtime/read-property.ts";

/** Whether an error's own property is reported. */
export type IsErrorField = (error: object, name: string) => boolean;

/**
 * Own properties of errors that describe the kind and place of the failure. None of them contains stored or sent data,
 * unlike `detail`, `where`, `sql`, `parameters`, `value`, `body`, `cmd`, and `instance`.
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

/**
 * Names that other errors use for data. They are reported only where another property identifies the library that made
 * the error.
 */
const namesBeside: Readonly<Record<string, (error: object) => boolean>> = {
  // Node.js: the text that isn't a valid URL, unless it may contain a password.
  input: (error) =>
    readProperty(error, "code") === "ERR_INVALID_URL" && !String(readProperty(error, "input")).includes("@"),
  // SQL Server.
  number: (error) => typeof readProperty(error, "class") === "number",
  // gRPC, where the message repeats it.
  details: (error) => typeof readProperty(error, "metadata") === "object",
};

/** Returns a predicate for own properties to report: the usual names, and `added`, ignoring case. */
export function errorFieldsOf(added: readonly string[]): IsErrorField {
  const names = new Set([...usualNames, ...added].map((name) => name.toLowerCase()));
  return (error, name) =>
    names.has(name.toLowerCase()) || (Object.hasOwn(namesBeside, name) && namesBeside[name]?.(error) === true);
}
