import type { DatabaseQuery } from "../core/database-call.ts";
import { asText, readProperty } from "../runtime/read-property.ts";
import { beginCall } from "./begin-call.ts";
import { endingPromise } from "./observe-end.ts";
import { wrapMethod } from "./wrap-method.ts";

/** The part of the class `PrismaClient`, made by `prisma generate`, that is used. */
export interface Prisma {
  readonly prototype: object;
}

/**
 * Starts recording the operations of all clients of a `PrismaClient` as breadcrumbs: `User.findMany`. Uses neither an
 * extension, which would be another client without `$on`, nor Prisma's tracing, which OpenTelemetry uses.
 */
export function whencePrisma(client: Prisma): void {
  wrapMethod(
    readProperty(client, "prototype"),
    "_request",
    (original) =>
      function (this: unknown, ...args) {
        const end = beginCall(() => operationOf(args[0]));
        if (!end) return Reflect.apply(original, this, args);
        return endingPromise(Reflect.apply(original, this, args), (error) => end(withoutArguments(error)));
      },
  );
}

function operationOf(request: unknown): DatabaseQuery {
  const [model = "", operation = ""] = ["model", "action"].map((name) => asText(readProperty(request, name)));
  return { system: "prisma", command: model === "" ? operation : `${model}.${operation}`, operation };
}

/**
 * Reduces an error to its last line, the reason: Prisma's messages quote the call with its arguments and the source
 * around it.
 */
function withoutArguments(error: unknown): unknown {
  const message = asText(readProperty(error, "message"));
  return message === ""
    ? error
    : { message: message.slice(message.lastIndexOf("\n") + 1), code: readProperty(error, "code") };
}
