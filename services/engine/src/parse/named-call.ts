import type { HttpBreadcrumbData, TelemetryEvent } from "@whence/protocol";

/** The code that the system or a client gives a failed connection: `ECONNREFUSED`, `UND_ERR_SOCKET`. */
const systemCode = /\b(?:E[A-Z]{4,}|EAI_[A-Z]+|UND_ERR_[A-Z_]+)\b/g;
/** A host with its port, as errors print it: `10.0.0.9:5432`, `db.internal:5432`, `::1:5432`. */
const address = /(?<![\w.:-])(::1|\[[\da-f:]+\]|[a-z\d.-]+):(\d{2,5})(?![\w:])/gi;
const statusCode = /\bstatus(?: code)?:? (\d{3})\b/gi;
const ipAddress = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[?[\da-f:]*:[\da-f:]*\]?)$/i;
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;
const defaultPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

interface Address {
  readonly host: string;
  readonly port: string;
}

/** What an error and its causes say about a connection. */
interface Named {
  readonly text: string;
  readonly codes: ReadonlySet<string>;
  readonly statuses: ReadonlySet<number>;
  readonly addresses: readonly Address[];
}

/**
 * Returns whether an event's error, or one of its causes, is about an outgoing call: it names the address or host that
 * was called and no other code, or it names no address but the code or status that the call failed with.
 */
export function namedCalls(event: TelemetryEvent): (call: HttpBreadcrumbData) => boolean {
  const named = namedBy(event);
  return (call) => {
    if (!URL.canParse(call.url)) return false;
    const { protocol, hostname, port } = new URL(call.url);
    const code = call.error_code ?? call.error?.match(systemCode)?.[0];
    const isSameCode = code !== undefined && named.codes.has(code);
    if (code !== undefined && !isSameCode && named.codes.size > 0) return false;
    const called: Address = { host: hostname, port: port || (defaultPorts[protocol] ?? "") };
    if (named.addresses.length > 0) return named.addresses.some((one) => isSame(one, called, isSameCode));
    return isSpelled(hostname, named) || isSameCode || named.statuses.has(call.status_code ?? 0);
  };
}

function namedBy({ message, exceptions = [] }: TelemetryEvent): Named {
  const properties = exceptions.map((exception) => exception.properties ?? {});
  const texts = properties.flatMap((own) => Object.values(own).filter(isText));
  const text = [message, ...exceptions.map((exception) => exception.message), ...texts].join("\n");
  const written = [...text.matchAll(address)].map(([, host = "", port = ""]) => ({ host, port }));
  const given = properties.flatMap((own) =>
    isText(own.address) && typeof own.port === "number" ? [{ host: own.address, port: String(own.port) }] : [],
  );
  const statuses = [
    ...[...text.matchAll(statusCode)].map(([, status]) => Number(status)),
    ...properties.flatMap(({ status, statusCode: code }) => [status, code].filter((one) => typeof one === "number")),
  ];
  return {
    text,
    codes: new Set(text.match(systemCode)),
    statuses: new Set(statuses.filter((status) => status >= 400)),
    addresses: [...written, ...given],
  };
}

/** Returns whether the error's address is the one that was called, or one that its name may have resolved to. */
function isSame(named: Address, called: Address, isSameCode: boolean): boolean {
  if (named.port !== called.port) return false;
  const [one, other] = [bareHost(named.host), bareHost(called.host)];
  if (one === other || (loopback.test(one) && loopback.test(other))) return true;
  return isSameCode && ipAddress.test(one) && !ipAddress.test(other) && loopback.test(one) === loopback.test(other);
}

function bareHost(host: string): string {
  return host.toLowerCase().replace(/^\[|\]$/g, "");
}

/** Returns whether the error contains the host as a whole word: `getaddrinfo ENOTFOUND payments`. */
function isSpelled(host: string, { text }: Named): boolean {
  return new RegExp(`(?<![\\w.-])${host.replace(/[^\w-]/g, "\\$&")}(?![\\w-]|\\.\\w)`, "i").test(text);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
