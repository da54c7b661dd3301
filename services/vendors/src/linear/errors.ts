import { z } from "zod";
import { VendorFailure, type VendorFailureReason } from "../http/vendor-failure.ts";
import { optionalText } from "../text/fields.ts";

/** One of the errors of a GraphQL response. */
export const linearErrorSchema = z.object({
  message: z.string(),
  extensions: z.object({ code: optionalText, type: optionalText }).nullish(),
});
export type LinearError = z.infer<typeof linearErrorSchema>;

/**
 * Documented codes, and the types that `@linear/sdk` knows in the same form.
 * https://linear.app/developers/graphql#errors
 */
const reasons = new Map<string, VendorFailureReason>([
  ["AUTHENTICATION_ERROR", "unauthorized"],
  ["FORBIDDEN", "forbidden"],
  ["FEATURE_NOT_ACCESSIBLE", "forbidden"],
  ["RATELIMITED", "rate-limited"],
  ["INTERNAL_ERROR", "unavailable"],
  ["INTERNAL_SERVER_ERROR", "unavailable"],
  ["LOCK_TIMEOUT", "unavailable"],
  ["NETWORK_ERROR", "unavailable"],
]);

const explanations: Partial<Record<VendorFailureReason, string>> = {
  unauthorized: "rejected the access token",
  forbidden: "doesn't let the application do this: give it access to the team",
  "not-found": "has no such issue, comment, or session, or the application has no access to its team",
  "rate-limited": "limits the rate of requests",
  unavailable: "failed",
};

const conflictPattern = /^conflict on insert of /i;
const missingPattern = /^entity not found\b/i;

/**
 * Returns whether Linear rejects a change because something with the given ID exists. It uses `INPUT_ERROR` for that,
 * as for other mistakes.
 */
export function isConflict(errors: readonly LinearError[]): boolean {
  return errors.some(({ message }) => conflictPattern.test(message));
}

/** Returns the meaning of a refusal, without Linear's own text, which may repeat what was sent. */
export function failureFromErrors(errors: readonly LinearError[]): VendorFailure {
  const codes = errors.flatMap(codesOf);
  const isMissing = errors.some(({ message }) => missingPattern.test(message));
  const known = codes.map((code) => reasons.get(code)).find((reason) => reason !== undefined);
  const reason = isMissing ? "not-found" : (known ?? "unexpected-answer");
  const [code = "no code"] = codes;
  return new VendorFailure(reason, `Linear ${explanations[reason] ?? `refused the request (${code})`}`);
}

function codesOf({ extensions }: LinearError): string[] {
  return [extensions?.code, extensions?.type].flatMap((code) => {
    const name = code?.toUpperCase().replaceAll(" ", "_") ?? "";
    return /^[A-Z_]{1,40}$/.test(name) ? [name] : [];
  });
}
