import type { FastifyRequest } from "fastify";

/**
 * Returns the key with which a client of Sentry's authenticates: in `X-Sentry-Auth`, in `Authorization`, or as
 * `sentry_key` in the query, as browsers send it. Undefined when there is none.
 */
export function keyOfRequest({ headers, query }: Pick<FastifyRequest, "headers" | "query">): string | undefined {
  return (
    keyInHeader(headers["x-sentry-auth"]) ??
    keyInHeader(headers.authorization) ??
    (isFields(query) && typeof query.sentry_key === "string" ? query.sentry_key : undefined)
  );
}

/** Returns the key in `Sentry sentry_key=KEY, sentry_version=7`. */
function keyInHeader(header: string | string[] | undefined): string | undefined {
  const fields = /^Sentry\s+(.*)$/i.exec(String(header ?? ""))?.[1] ?? "";
  for (const field of fields.split(",")) {
    const [name, value = ""] = field.split("=", 2).map((part) => part.trim());
    if (name === "sentry_key" && value !== "") return value;
  }
  return undefined;
}

/** Returns the key in a DSN, `https://KEY@host/PROJECT`; undefined for anything else. */
export function keyOfDsn(dsn: string | undefined): string | undefined {
  if (dsn === undefined || !URL.canParse(dsn)) return undefined;
  const { username } = new URL(dsn);
  return username === "" ? undefined : username;
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
