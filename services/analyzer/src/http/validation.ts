import { ValidationFailure, validationErrors } from "@whence/protocol";
import type { z } from "zod";

/** The value as its schema types it. Throws a {@link ValidationFailure} whose `loc` starts with `where`. */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  where: "body" | "query",
): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ValidationFailure(validationErrors(parsed.error.issues, value, where));
}
