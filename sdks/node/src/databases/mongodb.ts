import type { DatabaseQuery } from "../core/database-call.ts";
import { asText, readProperty } from "../runtime/read-property.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { beginCall, type EndCall } from "./begin-call.ts";

/** The part of a `MongoClient` that is used. */
export interface MongoClient {
  on(name: "commandStarted" | "commandSucceeded" | "commandFailed", listener: (event: unknown) => void): unknown;
}

const watched = new WeakSet<object>();

/**
 * Starts recording the commands of a `MongoClient` as breadcrumbs. Call it before the client connects. Enables the
 * client's `monitorCommands`, which costs a copy of each command.
 */
export function whenceMongodb(client: MongoClient): void {
  if (watched.has(client)) return;
  watched.add(client);
  // Its types don't have it; the driver reads it for each connection that it opens.
  Reflect.set(client, "monitorCommands", true);
  const ends = new Map<unknown, EndCall>();
  const finish = (event: unknown, error?: unknown): void => {
    const id = readProperty(event, "requestId");
    ends.get(id)?.(error);
    ends.delete(id);
  };
  client.on("commandStarted", (event) => {
    const end = beginCall(() => queryOf(event));
    if (!end) return;
    ends.set(readProperty(event, "requestId"), end);
    if (ends.size > sdkLimits.databaseCallsOpenMax) ends.delete(ends.keys().next().value);
  });
  client.on("commandSucceeded", (event) => finish(event));
  client.on("commandFailed", (event) => finish(event, readProperty(event, "failure")));
}

/** Returns the command and its collection; everything else in it is data. */
function queryOf(event: unknown): DatabaseQuery {
  const name = asText(readProperty(event, "commandName"));
  const command = readProperty(event, "command");
  const collection = asText(readProperty(command, name === "getMore" ? "collection" : name));
  const [, host, port] = /^(.*):(\d+)$/.exec(asText(readProperty(event, "address"))) ?? [];
  const database = asText(readProperty(event, "databaseName"));
  return {
    system: "mongodb",
    command: collection === "" ? name : `${name} ${collection}`,
    ...(host === undefined ? {} : { host, port: Number(port) }),
    ...(database === "" ? {} : { database }),
  };
}
