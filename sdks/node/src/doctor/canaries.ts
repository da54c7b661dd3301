import { credentialHeaders, redactedNames } from "@whence/protocol/redaction";

/** The part of an event that a program's data enters by. */
export type Channel = "header" | "property" | "attribute" | "breadcrumb" | "text" | "url" | "process";

/** A value that is searched for in outgoing events. */
export interface Canary {
  readonly channel: Channel;
  /** The name of the field, or what kind of text it is. */
  readonly name: string;
  readonly value: string;
}

/** Common field names for secrets that aren't among the thirteen default names. */
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

/** The values planted into one program. Each is unique, and none is a secret. */
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

/** Returns the canaries of a channel as fields. */
export function fieldsOf(channel: Channel): Record<string, string> {
  return Object.fromEntries(canaries.flatMap((one) => (one.channel === channel ? [[one.name, one.value]] : [])));
}

/** Returns the value of one canary. */
export function canaryOf(channel: Channel, name: string): string {
  return canaries.find((one) => one.channel === channel && one.name === name)?.value ?? "";
}
