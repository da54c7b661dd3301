import type { ValidationError } from "./validation-error.ts";

/** Input that violates its schema, answered with 422 and exactly this `detail`. */
export class ValidationFailure extends Error {
  readonly detail: readonly ValidationError[];

  constructor(detail: readonly ValidationError[]) {
    super(`${detail.length} violations of the schema`);
    this.name = "ValidationFailure";
    this.detail = detail;
  }
}

/** Returns a failure for a single rule that no schema describes. */
export function violation(loc: ValidationError["loc"], type: string, msg: string): ValidationFailure {
  return new ValidationFailure([{ loc, msg, type }]);
}
