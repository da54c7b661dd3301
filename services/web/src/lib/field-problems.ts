import { validationErrors } from "@whence/protocol";
import type { z } from "zod";
import { ApiError, withoutType } from "./api-client.ts";

/** Why individual fields were rejected, by name. */
export type FieldProblems = Readonly<Record<string, string>>;

/** Fields that the page itself rejected, before sending a request. */
export class RefusedFields extends Error {
  readonly fields: FieldProblems;

  constructor(fields: FieldProblems) {
    super("Some fields need a change. See below.");
    this.name = "RefusedFields";
    this.fields = fields;
  }
}

/** Returns what an error says about individual fields; empty when it is about something else. */
export function fieldProblems(error: unknown): FieldProblems {
  return error instanceof RefusedFields || error instanceof ApiError ? error.fields : {};
}

/** Returns the entered values in the service's form. Throws {@link RefusedFields}, with the service's messages. */
export function checkFields<Schema extends z.ZodType>(schema: Schema, entered: object): z.infer<Schema> {
  const checked = schema.safeParse(entered);
  if (checked.success) return checked.data;
  const found = validationErrors(checked.error.issues, entered, "body");
  const values = new Map(Object.entries(entered));
  const problems = found.flatMap(({ loc: [, name = "", part], msg }) => {
    const said = values.get(String(name)) === "" ? "This field is required." : plain(msg);
    // A part of a field is shown where it is entered, such as `quiet_hours.from`.
    return [[String(name), said], ...(typeof part === "string" ? [[`${name}.${part}`, said]] : [])];
  });
  throw new RefusedFields(Object.fromEntries(problems));
}

function plain(message: string): string {
  const said = withoutType(message);
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
}
