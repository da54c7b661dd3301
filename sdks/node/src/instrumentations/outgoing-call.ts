import { limits } from "@whence/protocol/limits";
import type { Breadcrumb, BreadcrumbRing } from "../breadcrumbs.ts";
import { trimText } from "../text.ts";

/** The data of an `http` breadcrumb, as the wire has it. */
type CallData = {
  readonly method: string;
  readonly url: string;
  status_code?: number;
  duration_ms?: number;
  error?: string;
  error_code?: string;
};

/** A request to another service: in the breadcrumbs from its start, completed by its answer or its failure. */
export class OutgoingCall {
  readonly #ring: BreadcrumbRing;
  readonly #breadcrumb: Breadcrumb;
  readonly #data: CallData;
  readonly #startedAt = performance.now();

  constructor(ring: BreadcrumbRing, now: number, method: string, url: string) {
    this.#ring = ring;
    this.#data = { method, url: trimText(url, limits.textLengthMax) };
    this.#breadcrumb = { timestamp: now, category: "http", data: this.#data, settled: false };
    ring.add(this.#breadcrumb);
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
    this.#ring.settle(this.#breadcrumb, { ...this.#data, duration_ms, ...outcome });
  }
}

function describe(error: unknown): { message: string; code: string | undefined } {
  if (!(error instanceof Error)) return { message: "closed before an answer", code: undefined };
  const code: unknown = Reflect.get(error, "code");
  const message = error.message === "" ? error.name : error.message;
  return { message: trimText(message, limits.textLengthMax), code: typeof code === "string" ? code : undefined };
}
