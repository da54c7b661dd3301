import { keyScopes } from "@whence/protocol";
import { analyzerErrors } from "../../errors.ts";
import type { Access } from "../access.ts";

export type ErrorCode = keyof typeof analyzerErrors.table;

const keyErrors = [
  "WHENCE_ERR_KEY_UNKNOWN",
  "WHENCE_ERR_KEY_REVOKED",
  "WHENCE_ERR_KEY_EXPIRED",
  "WHENCE_ERR_AGENT_UNCONFIRMED",
] as const satisfies readonly ErrorCode[];
const scopeErrors = ["WHENCE_ERR_KEY_SCOPE"] as const satisfies readonly ErrorCode[];

/** The errors implied by a route's access rule. */
export function accessErrors(access: Access): readonly ErrorCode[] {
  switch (access.by) {
    case "anyone":
      return [];
    case "member":
      return ["WHENCE_ERR_NOT_SIGNED_IN"];
    case "owner":
      return ["WHENCE_ERR_NOT_SIGNED_IN", "WHENCE_ERR_OWNER_ONLY"];
    case "key":
      return [...keyErrors, ...(access.scopes.length < keyScopes.length ? scopeErrors : [])];
    case "key or member":
      return ["WHENCE_ERR_NO_CREDENTIALS", ...keyErrors, ...scopeErrors];
    case "key or owner":
      return ["WHENCE_ERR_NO_CREDENTIALS", ...keyErrors, ...scopeErrors, "WHENCE_ERR_OWNER_ONLY"];
  }
}

const errorSchema = { $ref: "#/components/schemas/Error" } as const;
const validationErrorSchema = { $ref: "#/components/schemas/HTTPValidationError" } as const;

export interface ErrorResponse {
  readonly description: string;
  readonly content: { readonly "application/json": { readonly schema: object; readonly examples?: object } };
}

const unavailable = "The service can't do this now. Retry-After says when to try again.";

/** Errors of every operation. */
export const commonErrors: Readonly<Record<number, ErrorResponse>> = {
  422: { description: "Validation Error", content: { "application/json": { schema: validationErrorSchema } } },
  503: errorResponse(unavailable),
};

/** The response for a status, without its codes. */
export function errorResponse(description: string): ErrorResponse {
  return { description, content: { "application/json": { schema: errorSchema } } };
}

/** The error responses by status, each with its codes and an example per code. */
export function errorResponses(codes: readonly ErrorCode[]): Readonly<Record<string, ErrorResponse>> {
  const byStatus = Object.groupBy(new Set(codes), (code) => analyzerErrors.table[code].status);
  const responses = Object.entries(byStatus).map(([status, some = []]) => [status, codedResponse(some)]);
  return { ...commonErrors, ...Object.fromEntries(responses) };
}

function codedResponse(codes: readonly ErrorCode[]): ErrorResponse {
  const described = codes.map((code) => ({ code, detail: textOf(code) }));
  const examples = Object.fromEntries(described.map((value) => [value.code, { value }]));
  return {
    description: described.map(({ code, detail }) => `\`${code}\`: ${detail}`).join("\n\n"),
    content: { "application/json": { schema: errorSchema, examples } },
  };
}

/** An error's text with an ellipsis in place of values from the request. */
function textOf(code: ErrorCode): string {
  return analyzerErrors.table[code].message.replaceAll(/%[sd]/g, "…");
}
