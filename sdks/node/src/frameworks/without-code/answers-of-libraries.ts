import { readProperty } from "../../runtime/read-property.ts";

/** A library that answers errors in a form of its own, whatever the status. */
export type Library = "apollo" | "trpc";

/** Finds, in what a library is about to answer with, the errors of the program that it wasn't meant to answer. */
export const failuresIn: Readonly<Record<Library, (failed: unknown) => readonly unknown[]>> = {
  apollo: (errors) => (Array.isArray(errors) ? errors.map(originalError).filter((error) => error !== undefined) : []),
  trpc(error) {
    if (readProperty(error, "code") !== "INTERNAL_SERVER_ERROR") return [];
    return [readProperty(error, "cause") ?? error];
  },
};

/** What a resolver threw, unless it is an answer to the client. */
function originalError(error: unknown): unknown {
  const original = readProperty(error, "originalError");
  return readProperty(original, "name") === "GraphQLError" ? undefined : original;
}
