import { credentialHeaders, redactedNames } from "@whence/protocol/redaction";

/** Where data of a program gets into an event. */
export type Channel = "header" | "property" | "attribute" | "breadcrumb" | "text" | "url" | "process";

/** A value that is looked for in what would leave. */
export interface Canary {
  readonly channel: Channel;
  /** The field's name, or what the text is. */
  readonly name: string;
  readonly value: string;
}

/** Names of fields that people give to secrets and that are none of the thirteen. */
const nearNames = [
  "accessToken",
  "access_token",
  "refreshToken",
  "idToken",
  "authToken",
  "apiToken",
  "clientSecret",
  "privateKey",
  "userPassword",
  "creditCard",
  "cardNumber",
  "sessionId",
  "set-cookie",
];

const texts = ["message of an error", "message of a cause", "message of a breadcrumb", "line on the console"];
const urls = ["query of the request", "query of an outgoing request"];
const processFields = ["environment variable", "header of an outgoing request", "body of a request"];

/** What is planted into one program. Each value is found again by itself, and is no secret. */
export const canaries: readonly Canary[] = [
  ...plant("header", [...redactedNames, ...credentialHeaders]),
  ...(["property", "attribute", "breadcrumb"] as const).flatMap((channel) =>
    plant(channel, [...redactedNames, ...nearNames]),
  ),
  ...plant("text", texts),
  ...plant("url", urls),
  ...plant("process", processFields),
];

function plant(channel: Channel, names: readonly string[]): Canary[] {
  return names.map((name) => ({ channel, name, value: `canary.${channel}.${name.replaceAll(" ", "-")}.end` }));
}

/** The canaries of a channel as fields. */
export function fieldsOf(channel: Channel): Record<string, string> {
  return Object.fromEntries(canaries.flatMap((one) => (one.channel === channel ? [[one.name, one.value]] : [])));
}

/** The value of one canary. */
export function canaryOf(channel: Channel, name: string): string {
  return canaries.find((one) => one.channel === channel && one.name === name)?.value ?? "";
}
