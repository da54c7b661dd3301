import { limits } from "@whence/protocol/limits";
import { asText, readProperty } from "../runtime/read-property.ts";
import { trimText } from "../runtime/text.ts";
import type { BreadcrumbReview } from "./before-breadcrumb.ts";
import type { Breadcrumb, BreadcrumbRing } from "./breadcrumbs.ts";

const userInfo = /^([a-z][a-z0-9+.-]*:)?\/\/[^/?#\\]*@/i;

/** A request to another service: a breadcrumb from its start, completed when it is answered or fails. */
export class OutgoingCall {
  readonly #ring: BreadcrumbRing;
  readonly #review: Pick<BreadcrumbReview, "ask">;
  readonly breadcrumb: Breadcrumb;
  readonly #method: string;
  readonly #url: string;
  readonly #startedAt = performance.now();
  /** Stored because a response whose body breaks off has both a status code and an error. */
  #statusCode: number | undefined;

  constructor(
    { ring, review }: { ring: BreadcrumbRing; review: Pick<BreadcrumbReview, "ask"> },
    now: number,
    method: string,
    url: string,
  ) {
    this.#ring = ring;
    this.#review = review;
    this.#method = method;
    this.#url = trimText(withoutCredentials(url), limits.textLengthMax);
    const started = { timestamp: now, category: "http", data: { method, url: this.#url }, settled: false };
    const kept = review.ask(started);
    this.breadcrumb = kept ?? { ...started, isDropped: true };
    if (kept) ring.add(kept);
  }

  /** Records that the response headers arrived. */
  answered(status_code: number): void {
    this.#statusCode = status_code;
    const duration_ms = this.#durationMs();
    this.#settle({ method: this.#method, url: this.#url, status_code, duration_ms });
  }

  /** Records that the request failed, or that its response broke off. */
  failed(error: unknown): void {
    const { message, code } = describe(error);
    this.#settle({
      method: this.#method,
      url: this.#url,
      ...(this.#statusCode === undefined ? {} : { status_code: this.#statusCode }),
      duration_ms: this.#durationMs(),
      error: message,
      ...(code === undefined ? {} : { error_code: code }),
    });
  }

  #settle(data: Record<string, unknown>): void {
    const isDropped = this.breadcrumb.isDropped === true;
    const kept = isDropped ? undefined : this.#review.ask({ ...this.breadcrumb, data });
    this.#ring.settle(this.breadcrumb, kept ?? { isDropped: true });
  }

  get isSettled(): boolean {
    return this.breadcrumb.settled;
  }

  #durationMs(): number {
    return Math.round((performance.now() - this.#startedAt) * 10) / 10;
  }
}

/**
 * Returns the URL without user and password, which Node's clients send in the `authorization` header, whose value is
 * never recorded. The rest of a URL stays, including its query string (specification: Events, rule 5).
 */
function withoutCredentials(url: string): string {
  return url.includes("@") ? url.replace(userInfo, "$1//") : url;
}

function describe(error: unknown): { message: string; code: string | undefined } {
  const message = asText(readProperty(error, "message")) || asText(readProperty(error, "name"));
  const code = readProperty(error, "code");
  return {
    message: message === "" ? "closed before an answer" : trimText(message, limits.textLengthMax),
    code: typeof code === "string" ? code : undefined,
  };
}
