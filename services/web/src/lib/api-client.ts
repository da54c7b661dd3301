import { errorBodySchema, httpValidationErrorSchema } from "@whence/protocol";
import { z } from "zod";

/** An error response of the service, or its unavailability (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | null;
  /** The request's ID in the server's log. */
  readonly requestId: string | null;
  /** Why individual fields were rejected, by name. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(message: string, { status, code = null, requestId = null, fields = {} }: ApiErrorFields) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.fields = fields;
  }
}

interface ApiErrorFields {
  readonly status: number;
  readonly code?: string | null;
  readonly requestId?: string | null;
  readonly fields?: Readonly<Record<string, string>>;
}

export interface RequestOptions {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  /** Sent as JSON. */
  readonly body?: object;
  /** Several values of a name are sent one by one. */
  readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  readonly signal?: AbortSignal;
}

export const statusUnauthorized = 401;

/** Sends a request and parses the response with the schema. Rejects with an {@link ApiError}. */
export async function request<Schema extends z.ZodType>(
  schema: Schema,
  path: string,
  options: RequestOptions = {},
): Promise<z.infer<Schema>> {
  const response = await send(path, options);
  const requestId = response.headers.get("x-request-id");
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw refusal(response.status, body, requestId);
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const problem = `${path} returned something this page doesn't understand. Reload the page. ${z.prettifyError(parsed.error)}`;
  throw new ApiError(problem, { status: response.status, requestId });
}

async function send(path: string, { method = "GET", body, query, signal }: RequestOptions): Promise<Response> {
  const url = new URL(path, window.location.origin);
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of [value ?? []].flat()) url.searchParams.append(name, String(one));
  }
  try {
    return await fetch(url, {
      method,
      headers: { accept: "application/json", ...(body ? { "content-type": "application/json" } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError("The service can't be reached. Check your connection; this page retries.", { status: 0 });
  }
}

/** The identity library has its own form for errors. */
const libraryErrorSchema = z.object({ message: z.string(), code: z.string().optional() });

function refusal(status: number, body: unknown, requestId: string | null): ApiError {
  const known = errorBodySchema.safeParse(body);
  if (known.success && typeof known.data.detail === "string") {
    return new ApiError(sentence(known.data.detail), { status, code: known.data.code, requestId });
  }
  const invalid = httpValidationErrorSchema.safeParse(body);
  if (invalid.success && invalid.data.detail) {
    const details = invalid.data.detail.map(({ loc, msg }) => ({ loc, msg: withoutType(msg) }));
    const said = details.map(({ loc, msg }) => `${loc.slice(1).join(".")}: ${msg}`);
    const fields = Object.fromEntries(details.map(({ loc, msg }) => [String(loc[1] ?? ""), sentence(msg)]));
    return new ApiError(`The service rejected the request. ${said.join("; ")}`, { status, requestId, fields });
  }
  const library = libraryErrorSchema.safeParse(body);
  if (library.success)
    return new ApiError(sentence(library.data.message), { status, code: library.data.code ?? null, requestId });
  return new ApiError(`The service answered with status ${status} and no reason.`, { status, requestId });
}

/** Returns what is wrong with a value, without the words that every message of its type begins with. */
export function withoutType(message: string): string {
  return message.replace(/^Value error, /, "");
}

function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
