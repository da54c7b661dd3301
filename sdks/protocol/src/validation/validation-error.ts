import { z } from "zod";

/** One violation of a schema (specification, ValidationError). */
export const validationErrorSchema = z.object({
  /** The place: `["body","files",0,"content"]`, `["header","X-API-Key"]`. */
  loc: z.array(z.union([z.string(), z.int()])),
  msg: z.string(),
  type: z.string(),
  input: z.unknown().optional(),
  ctx: z.record(z.string(), z.unknown()).optional(),
});
export type ValidationError = z.infer<typeof validationErrorSchema>;

/** The body of every 422 answer. */
export const httpValidationErrorSchema = z.object({ detail: z.array(validationErrorSchema).optional() });
export type HttpValidationError = z.infer<typeof httpValidationErrorSchema>;

/** The body of every other error answer: `detail` for people, `code` for programs (`docs/errors.md`). */
export const errorBodySchema = z.object({ detail: z.string(), code: z.string() });
export type ErrorBody = z.infer<typeof errorBodySchema>;
