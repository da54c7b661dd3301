import { validationErrors } from "@whence/protocol";
import type { z } from "zod";
import { ApiError } from "./api-client.ts";

/** Why single fields were refused, by their names. */
export type FieldProblems = Readonly<Record<string, string>>;

/** What the page itself found wrong with what was entered, before the service was asked. */
export class RefusedFields extends Error {
  readonly fields: FieldProblems;

  constructor(fields: FieldProblems) {
    super("Some fields need a change. See below.");
    this.name = "RefusedFields";
    this.fields = fields;
  }
}

/** What an error says about single fields; empty when it is about something else. */
export function fieldProblems(error: unknown): FieldProblems {
  return error instanceof RefusedFields || error instanceof ApiError ? error.fields : {};
}

/** What was entered, as the service takes it. Throws {@link RefusedFields}, in the words that the service has. */
export function checkFields<Schema extends z.ZodType>(schema: Schema, entered: object): z.infer<Schema> {
  const checked = schema.safeParse(entered);
  if (checked.success) return checked.data;
  const found = validationErrors(checked.error.issues, entered, "body");
  const values = new Map(Object.entries(entered));
  const problems = found.flatMap(({ loc: [, name = "", part], msg }) => {
    const said = values.get(String(name)) === "" ? "This field is required." : plain(msg);
    // A part of a field is shown where it is entered, as `quiet_hours.from`.
    return [[String(name), said], ...(typeof part === "string" ? [[`${name}.${part}`, said]] : [])];
  });
  throw new RefusedFields(Object.fromEntries(problems));
}

function plain(message: string): string {
  const said = message.replace(/^Value error, /, "");
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
}
