import { type ValidationError, validationErrors } from "@whence/protocol";
import type { z } from "zod";

/** A body or parameter that violates its schema: answered with 422 and exactly this `detail`. */
export class ValidationFailure extends Error {
  readonly detail: readonly ValidationError[];

  constructor(detail: readonly ValidationError[]) {
    super(`${detail.length} violations of the schema`);
    this.name = "ValidationFailure";
    this.detail = detail;
  }
}

/** The value as its schema types it, or a {@link ValidationFailure} whose `loc` starts with `where`. */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  where: "body" | "query",
): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ValidationFailure(validationErrors(parsed.error.issues, value, where));
}

/** The failure of one thing that no schema describes. */
export function violation(loc: ValidationError["loc"], type: string, msg: string): ValidationFailure {
  return new ValidationFailure([{ loc, msg, type }]);
}
