import type { ParsedException, Scalar } from "../findings/parsed-error.ts";
import { withoutQuotedTexts } from "./quoted-texts.ts";

/** Error codes, each with the text that spells it. */
export type ErrorCodes = ReadonlyMap<string, string>;

const grpcNames = [
  "OK",
  "CANCELLED",
  "UNKNOWN",
  "INVALID_ARGUMENT",
  "DEADLINE_EXCEEDED",
  "NOT_FOUND",
  "ALREADY_EXISTS",
  "PERMISSION_DENIED",
  "RESOURCE_EXHAUSTED",
  "FAILED_PRECONDITION",
  "ABORTED",
  "OUT_OF_RANGE",
  "UNIMPLEMENTED",
  "INTERNAL",
  "UNAVAILABLE",
  "DATA_LOSS",
  "UNAUTHENTICATED",
] as const;

/** How messages introduce codes that mean nothing on their own, and the name each gets. */
const spellings: readonly { readonly pattern: RegExp; readonly name: (code: string) => string }[] = [
  {
    pattern:
      /\b(?:status(?: ?code)?(?: is| of| was)?|(?:(?<!"(?:GET|HEAD|POST|PUT|DELETE|PATCH|OPTIONS|CONNECT|TRACE|PROPFIND) \S{1,400} )http\/\d(?:\.\d)?|http)(?: error| code| status)?|http-code|responded(?: with)?|answered(?: with)?|returned|response code|failed with|server error|client error|unexpected (?:server )?response)[ :="'([]{1,4}([45]\d\d)\b(?! ?(?:ms|rows|items|bytes|records|results|entries|times))/gi,
    name: (code) => `HTTP ${code}`,
  },
  {
    pattern:
      /\b([45]\d\d):? (?:Bad Request|Unauthorized|Payment Required|Forbidden|Not Found|Method Not Allowed|Not Acceptable|Proxy Auth|Request Time-?out|Conflict|Gone|Length Required|Precondition|Payload Too Large|Request Entity Too|Content Too Large|URI Too Long|Request-URI Too|Unsupported Media|Range Not|Expectation|Misdirected|Unprocessable|Locked|Upgrade Required|Too Many Requests|Request Header|Internal Server|Not Implemented|Bad Gateway|Service (?:Temporarily )?Unavailable|Gateway Time-?out|Insufficient Storage|Loop Detected|Server Error|Client Error)/gi,
    name: (code) => `HTTP ${code}`,
  },
  // In an access log, the status is this server's own answer; a gateway's says that the one behind it failed.
  { pattern: /"[A-Z]{3,10} \S{1,400} HTTP\/[\d.]{1,3}" (50[234])\b/g, name: (code) => `HTTP ${code}` },
  // urllib3 logs the requests that it makes.
  {
    pattern: /:\/\/\S{1,400} "[A-Z]{3,10} \S{1,400} HTTP\/[\d.]{1,3}" ([45]\d\d)\b/g,
    name: (code) => `HTTP ${code}`,
  },
  { pattern: /\bSQL ?STATE(?: is)?[ :=[("']{1,3}([0-9A-Z]{5})\b/gi, name: (code) => `SQLSTATE ${code}` },
  { pattern: /\bERROR (\d{4}) \([0-9A-Z]{5}\)/g, name: (code) => `MySQL ${code}` },
  {
    pattern: /(?:OperationalError|IntegrityError|ProgrammingError|DataError|InternalError)\b.{0,20}\((\d{4}), ["']/g,
    name: (code) => `MySQL ${code}`,
  },
  {
    pattern: /\bexit(?:ed|s)?(?: with)?(?: non-zero)?(?: status| code){0,2}[ :=(]{1,4}(\d{1,3})\b/gi,
    name: (code) => `exit ${code}`,
  },
  {
    pattern: /\brpc error: code = (\w{2,24})/g,
    name: (name) => `gRPC ${name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase()}`,
  },
  { pattern: /\bStatusCode\.([A-Z_]{2,24})\b/g, name: (name) => `gRPC ${name}` },
  { pattern: /\bStatus(?:Runtime)?Exception: ([A-Z_]{2,24})\b/g, name: (name) => `gRPC ${name}` },
  { pattern: /(?:^|[\s"'])\d{1,2} ([A-Z_]{2,24}): /g, name: (name) => `gRPC ${name}` },
  { pattern: /\b(?:code|reason|status)["']?[:=] ?["']?([A-Za-z][\w-]{2,60})\b/gi, name: (code) => code },
];

/** Returns the codes in a text: words that can only be codes, and numbers introduced as codes. */
export function codesInText(text: string): ErrorCodes {
  const codes = new Map<string, string>();
  for (const [word] of text.matchAll(/\b[A-Za-z]\w{2,80}/g)) if (isDistinct(word)) codes.set(word, word);
  for (const { pattern, name } of spellings) {
    for (const found of text.matchAll(pattern)) if (found[1] !== undefined) codes.set(name(found[1]), found[0].trim());
  }
  return codes;
}

/** Returns the codes in an error's properties and message. */
export function codesOf({ type, message, properties }: ParsedException, messageUnitsMax: number): ErrorCodes {
  const codes = new Map(codesInText(withoutQuotedTexts(message.slice(0, messageUnitsMax))));
  for (const name of [
    "code",
    "errno",
    "errorCode",
    "codeName",
    "status",
    "statusCode",
    "sqlState",
    "sqlstate",
    "cause",
    "reason",
    "number",
  ]) {
    const value = properties[name];
    if (value !== undefined && value !== null)
      for (const code of codesOfProperty(name, value, properties)) codes.set(code, String(value));
  }
  if (/^Status(?:Runtime)?Exception$/.test(type.split(".").at(-1) ?? "")) {
    const status = /^[A-Z_]{2,24}\b/.exec(message)?.[0];
    if (status !== undefined) codes.set(`gRPC ${status}`, status);
  }
  return codes;
}

function codesOfProperty(name: string, value: Scalar, properties: ParsedException["properties"]): string[] {
  const text = String(value);
  const isStatus = name === "status" || name === "statusCode";
  // An error's own status is what this service meant to respond with, unless an HTTP client raised it.
  if (isStatus) return "config" in properties || properties.isAxiosError === true ? [`HTTP ${text}`] : [];
  if (name === "code" && typeof value === "number" && "details" in properties)
    return [`gRPC ${grpcNames[value] ?? text}`];
  if (typeof value === "number" || /^\d+$/.test(text)) {
    const isServers = "sqlMessage" in properties || "sqlState" in properties;
    return /^\d{5}$/.test(text) && typeof value === "string"
      ? [`SQLSTATE ${text}`]
      : [isServers ? `MySQL ${text}` : `number ${text}`];
  }
  return /^(?=.*\d)[0-9A-Z]{5}$/.test(text) ? [text, `SQLSTATE ${text}`] : [text];
}

/** Whether the word can only be a name: it has two capitals, a digit, or an underscore. */
export function isDistinct(word: string): boolean {
  return /[A-Z]\w*[A-Z]|[\d_]/.test(word);
}
