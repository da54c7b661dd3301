import { readProperty } from "../runtime/read-property.ts";

/** The transports' methods that return the name of a message. */
const names = ["getPattern", "getSubject", "getTopic", "getChannel"] as const;

/** Returns the pattern, subject, topic, or channel of a message; for gRPC, the method. */
export function messageName(context: unknown): string | undefined {
  const name = names.map((one) => readProperty(context, one)).find((one) => typeof one === "function");
  const said: unknown = name === undefined ? readProperty(context, "operationId") : name.call(context);
  return typeof said === "string" ? said : undefined;
}
