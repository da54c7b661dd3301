import { limits } from "@whence/protocol/limits";
import type { BreadcrumbRing, KeptBreadcrumb } from "../breadcrumbs.ts";
import { trimText } from "../text.ts";

/** The data of an `http` breadcrumb, as the wire has it. */
type CallData = {
  readonly method: string;
  readonly url: string;
  readonly status_code?: number;
  readonly duration_ms?: number;
  readonly error?: string;
  readonly error_code?: string;
};

const userInfo = /^([a-z][a-z0-9+.-]*:)?\/\/[^/?#\\]*@/i;

/** A request to another service: in the breadcrumbs from its start, completed by its answer or its failure. */
export class OutgoingCall {
  readonly #ring: BreadcrumbRing;
  readonly #breadcrumb: KeptBreadcrumb;
  readonly #startedAt = performance.now();
  #data: CallData;

  constructor(ring: BreadcrumbRing, now: number, method: string, url: string) {
    this.#ring = ring;
    this.#data = { method, url: trimText(withoutCredentials(url), limits.textLengthMax) };
    this.#breadcrumb = ring.add({ timestamp: now, category: "http", data: this.#data, settled: false });
  }

  /** The head of the answer is there. */
  answered(statusCode: number): void {
    this.#settle({ status_code: statusCode });
  }

  /** There will be no answer, or no more of it. */
  failed(error: unknown): void {
    const { message, code } = describe(error);
    this.#settle({ error: message, ...(code === undefined ? {} : { error_code: code }) });
  }

  get isSettled(): boolean {
    return this.#breadcrumb.settled;
  }

  #settle(outcome: Partial<CallData>): void {
    const duration_ms = Math.round((performance.now() - this.#startedAt) * 10) / 10;
    // An answer whose body breaks off has a status code and an error.
    this.#data = { ...this.#data, duration_ms, ...outcome };
    this.#ring.settle(this.#breadcrumb, this.#data);
  }
}

/**
 * The URL without user and password. Node's clients send those as the header `authorization`, whose value is never
 * recorded; the rest of a URL, its query string too, is left as it is (specification: Events, rule 5).
 */
export function withoutCredentials(url: string): string {
  return url.includes("@") ? url.replace(userInfo, "$1//") : url;
}

function describe(error: unknown): { message: string; code: string | undefined } {
  if (!(error instanceof Error)) return { message: "closed before an answer", code: undefined };
  const code: unknown = Reflect.get(error, "code");
  const message = error.message === "" ? error.name : error.message;
  return { message: trimText(message, limits.textLengthMax), code: typeof code === "string" ? code : undefined };
}
