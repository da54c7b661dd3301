import { readProperty } from "../runtime/read-property.ts";

/** What the transports call the name of what a message is for. */
const names = ["getPattern", "getSubject", "getTopic", "getChannel"] as const;

/** The pattern, subject, topic or channel of a message; of gRPC the method. */
export function messageName(context: unknown): string | undefined {
  const name = names.map((one) => readProperty(context, one)).find((one) => typeof one === "function");
  const said: unknown = name === undefined ? readProperty(context, "operationId") : name.call(context);
  return typeof said === "string" ? said : undefined;
}
