import { limits } from "@whence/protocol/limits";
import { asText, readProperty } from "../runtime/read-property.ts";
import { detach, trimText } from "../runtime/text.ts";
import type { BreadcrumbReview } from "./before-breadcrumb.ts";
import type { Breadcrumb, BreadcrumbRing } from "./breadcrumbs.ts";
import { type SqlSystem, statementShape } from "./statement-shape.ts";

/** What is known about a database call when it starts. */
export type DatabaseQuery = {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly database?: string | undefined;
} & (
  | { readonly system: SqlSystem /** As the program wrote it, including values. */; readonly statement: string }
  | {
      readonly system: "redis" | "mongodb" | "prisma" /** Without values. */;
      readonly command: string /** The first word of the command by default. */;
      readonly operation?: string;
    }
);

/** A database call: a breadcrumb from its start, completed when it succeeds or fails. */
export class DatabaseCall {
  readonly #ring: BreadcrumbRing;
  readonly #review: Pick<BreadcrumbReview, "ask">;
  readonly breadcrumb: Breadcrumb;
  readonly #query: Record<string, unknown>;
  readonly #startedAt = performance.now();

  constructor(
    { ring, review }: { ring: BreadcrumbRing; review: Pick<BreadcrumbReview, "ask"> },
    now: number,
    query: DatabaseQuery,
  ) {
    this.#ring = ring;
    this.#review = review;
    this.#query = described(query);
    const started = { timestamp: now, category: "db", data: this.#query, settled: false };
    const kept = review.ask(started);
    this.breadcrumb = kept ?? { ...started, isDropped: true };
    if (kept) ring.add(kept);
  }

  /** Records the end of the call; `error` is its failure. Only the first end counts. */
  ended(error?: unknown, durationMs: number = performance.now() - this.#startedAt): void {
    if (this.breadcrumb.settled) return;
    const failure = error === undefined || error === null ? {} : failureOf(error);
    const data = { ...this.#query, duration_ms: Math.round(durationMs * 10) / 10, ...failure };
    const kept = this.breadcrumb.isDropped === true ? undefined : this.#review.ask({ ...this.breadcrumb, data });
    this.#ring.settle(this.breadcrumb, kept ?? { isDropped: true });
  }
}

function described(query: DatabaseQuery): Record<string, unknown> {
  const { system, host, port, database } = query;
  const text = "command" in query ? query.command : statementShape(query.statement, query.system);
  const statement = trimText(text, limits.textLengthMax);
  const named = "operation" in query ? query.operation : undefined;
  const operation = (named ?? /^\W*(\w+)/.exec(statement)?.[1])?.toUpperCase();
  return {
    system,
    ...(operation === undefined ? {} : { operation: detach(operation) }),
    statement,
    ...(host === undefined ? {} : { host: trimText(host, limits.textLengthMax) }),
    ...(port === undefined ? {} : { port }),
    ...(database === undefined ? {} : { database: trimText(database, limits.textLengthMax) }),
  };
}

function failureOf(error: unknown): Record<string, unknown> {
  const message = asText(readProperty(error, "message")) || asText(readProperty(error, "name"));
  const code = readProperty(error, "code");
  return {
    error: trimText(message, limits.textLengthMax),
    ...(typeof code === "string" || typeof code === "number" ? { error_code: String(code) } : {}),
  };
}
