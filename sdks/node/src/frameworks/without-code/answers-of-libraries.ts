import { readProperty } from "../../runtime/read-property.ts";

/** A library that answers errors in its own form, whatever the status. */
export type Library = "apollo" | "trpc";

/** Functions that find, in a library's response, the program's errors that weren't meant as a response. */
export const failuresIn: Readonly<Record<Library, (failed: unknown) => readonly unknown[]>> = {
  apollo: (errors) => (Array.isArray(errors) ? errors.map(originalError).filter((error) => error !== undefined) : []),
  trpc(error) {
    if (readProperty(error, "code") !== "INTERNAL_SERVER_ERROR") return [];
    return [readProperty(error, "cause") ?? error];
  },
};

/** Returns what a resolver threw, unless it is a response for the client. */
function originalError(error: unknown): unknown {
  const original = readProperty(error, "originalError");
  return readProperty(original, "name") === "GraphQLError" ? undefined : original;
}
