import { secondMs } from "@whence/protocol";
import { APICallError, type FinishReason, NoSuchModelError, RetryError } from "ai";
import { AddressRefused } from "../http/guarded-lookup.ts";
import { retryAfterMs } from "../http/retry-after.ts";
import { VendorFailure } from "../http/vendor-failure.ts";

/** The names of a provider and of its model, for people. */
export interface AskedModel {
  readonly vendor: string;
  readonly model: string;
}

/**
 * Returns why a request to a model failed. The message says what to do, and never includes the provider's own text,
 * which may repeat a key or a prompt.
 */
export function modelFailure(error: unknown, asked: AskedModel, now: number): VendorFailure {
  const causes = causesOf(error);
  const known = causes.find((one) => one instanceof VendorFailure);
  if (known) return known;
  const refused = causes.find((one) => one instanceof AddressRefused);
  if (refused) return new VendorFailure("refused-address", refused.message);
  const answer = causes.find((one) => APICallError.isInstance(one) && one.statusCode !== undefined);
  if (APICallError.isInstance(answer) && !isSuccess(answer)) return failureOfAnswer(answer, asked, now);
  const token = causes.map(tokenStatusOf).find((status) => status !== null);
  if (token !== undefined) return failureOfToken(token, asked);
  if (causes.some(isTimeout))
    return new VendorFailure("too-slow", `${asked.vendor} did not answer in time: try again, or use a faster model`);
  if (NoSuchModelError.isInstance(error)) return unknownModel(asked);
  if (causes.some(isOfConnection))
    return new VendorFailure("unavailable", `${asked.vendor} can't be reached: check its address and that it runs`);
  // What remains failed while the answer was read.
  return nonsense(asked);
}

/** The status of an answer to a request for a token, which Google's library makes on its own; null for other errors. */
function tokenStatusOf(error: unknown): number | null {
  const isOfToken = error instanceof Error && !APICallError.isInstance(error) && "status" in error;
  return isOfToken && typeof error.status === "number" ? error.status : null;
}

/** A wrong key, account, or clock is 400: https://developers.google.com/identity/protocols/oauth2/service-account. */
function failureOfToken(status: number, { vendor }: AskedModel): VendorFailure {
  if (status === 429) return rateLimited(vendor, null);
  if (status < 400 || status >= 500)
    return new VendorFailure("unavailable", `${vendor} gave no access token (${status}): try again later`);
  return unauthorized(vendor);
}

/** Returns why a finished answer can't be used; null when it can. */
export function failureOfFinish(reason: FinishReason, { vendor, model }: AskedModel): VendorFailure | null {
  switch (reason) {
    case "content-filter":
      return new VendorFailure("declined", `${model} declined to answer: its provider's policy forbids it`);
    case "length":
      return new VendorFailure(
        "cut-off",
        `${model} ended in the middle of its answer: raise its limit of output tokens`,
      );
    case "error":
      return new VendorFailure("unavailable", `${vendor} failed in the middle of its answer: try again later`);
    default:
      return null;
  }
}

/** The error, its causes, and the last of several attempts. */
function causesOf(error: unknown): readonly unknown[] {
  const found: unknown[] = [];
  let next: unknown = RetryError.isInstance(error) ? error.lastError : error;
  while (next instanceof Error && !found.includes(next)) {
    found.push(next);
    next = next.cause;
  }
  return found;
}

function isSuccess({ statusCode = 0 }: APICallError): boolean {
  return statusCode >= 200 && statusCode < 300;
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && /^(TimeoutError|AbortError|HeadersTimeoutError|BodyTimeoutError)$/.test(error.name);
}

/** Whether an error has a code of the system's or of TLS, such as `ECONNREFUSED`. */
function isOfConnection(error: unknown): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}

/**
 * What Amazon answers with 403 to a wrong, expired, or wrongly signed key, rather than to a valid one that may not:
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html.
 */
const wrongKey =
  /\b(?:UnrecognizedClient|InvalidSignature|IncompleteSignature|ExpiredToken|InvalidClientTokenId|MissingAuthenticationToken)/;

function isOfCredentials({ statusCode, responseHeaders, responseBody = "" }: APICallError): boolean {
  return statusCode === 403 && wrongKey.test(`${responseHeaders?.["x-amzn-errortype"] ?? ""} ${responseBody}`);
}

function unauthorized(vendor: string): VendorFailure {
  return new VendorFailure("unauthorized", `${vendor} rejected the credentials: enter valid ones`);
}

const spent = /insufficient_quota|credit balance|billing/i;

function failureOfAnswer(answer: APICallError, asked: AskedModel, now: number): VendorFailure {
  const { vendor, model } = asked;
  const { statusCode: status = 0, responseBody = "", responseHeaders } = answer;
  if (status === 401 || isOfCredentials(answer)) return unauthorized(vendor);
  if (status === 402 || (status >= 400 && status < 500 && spent.test(responseBody)))
    return new VendorFailure("rate-limited", `${vendor} reports that the account has no credit left: add some`);
  if (status === 403)
    return new VendorFailure("forbidden", `${vendor} doesn't let these credentials use ${model}: allow it there`);
  if (status === 404) return unknownModel(asked);
  if (status === 413)
    return new VendorFailure("too-long", `the request is too long for ${model}: lower the tokens of an investigation`);
  if (status === 429) return rateLimited(vendor, retryAfterMs(responseHeaders?.["retry-after"], now));
  if (status === 408 || status === 504)
    return new VendorFailure("too-slow", `${vendor} did not answer in time (${status}): try again later`);
  if (status >= 500) return new VendorFailure("unavailable", `${vendor} failed (${status}): try again later`);
  return new VendorFailure(
    "unexpected-answer",
    `${vendor} rejected the request (${status}): check that ${model} exists there and can use tools`,
  );
}

function rateLimited(vendor: string, waitMs: number | null): VendorFailure {
  const when = waitMs === null ? "try again later" : `try again in ${Math.ceil(waitMs / secondMs)} seconds`;
  return new VendorFailure("rate-limited", `${vendor} limits the rate of requests: ${when}`, waitMs);
}

function unknownModel({ vendor, model }: AskedModel): VendorFailure {
  return new VendorFailure(
    "not-found",
    `${vendor} has no model called ${model}: check its name, and that it is installed or enabled there`,
  );
}

function nonsense({ vendor }: AskedModel): VendorFailure {
  return new VendorFailure(
    "unexpected-answer",
    `${vendor} answered with something that isn't its documented format: check the address`,
  );
}
