import { z } from "zod";
import { VendorFailure } from "../http/vendor-failure.ts";
import type { VendorHttp } from "../http/vendor-http.ts";

/** A request to Elasticsearch. Its path includes the query. */
export interface ElasticsearchRequest<Body> {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly json?: unknown;
  readonly schema: z.ZodType<Body>;
}

/** Elasticsearch at the entered address, which may be Kibana's. */
export interface ElasticsearchAccess {
  readonly isKibana: boolean;
  readonly user: z.infer<typeof userSchema>;
  ask<Body>(asked: ElasticsearchRequest<Body>, signal: AbortSignal): Promise<Body>;
}

/** https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-security-authenticate */
const userSchema = z.object({
  username: z.string(),
  api_key: z.object({ name: z.string().nullish() }).nullish(),
});
const whoAmI = { method: "GET", path: "/_security/_authenticate", schema: userSchema } as const;

/** https://www.elastic.co/docs/api/doc/kibana/operation/operation-get-status */
const kibanaStatusSchema = z.object({ status: z.object({ overall: z.object({ level: z.string() }) }) });

/**
 * Detects what the entered address is, with a request for the owner of the API key. Rejects with a {@link
 * VendorFailure} that says what to enter when Kibana passes nothing on, as from version 9.
 */
export async function reachElasticsearch(http: VendorHttp, signal: AbortSignal): Promise<ElasticsearchAccess> {
  const directly: ElasticsearchAccess["ask"] = async (asked, own) => (await http.json(asked, own)).body;
  const throughKibana: ElasticsearchAccess["ask"] = (asked, own) => askKibana(http, asked, own);
  try {
    return { isKibana: false, user: await directly(whoAmI, signal), ask: directly };
  } catch (error) {
    if (!isNotThere(error)) throw error;
  }
  try {
    return { isKibana: true, user: await throughKibana(whoAmI, signal), ask: throughKibana };
  } catch (error) {
    if (!isNotThere(error)) throw error;
    throw await whatToEnter(http, signal);
  }
}

/** Returns whether something other than Elasticsearch responded: nothing at that path, a page, or a redirect to one. */
function isNotThere(error: unknown): boolean {
  return error instanceof VendorFailure && (error.reason === "not-found" || error.reason === "unexpected-answer");
}

async function whatToEnter(http: VendorHttp, signal: AbortSignal): Promise<VendorFailure> {
  const isKibana = await http.json({ path: "/api/status", schema: kibanaStatusSchema }, signal).then(
    () => true,
    () => false,
  );
  signal.throwIfAborted();
  const message = isKibana
    ? "Kibana passes no requests on to Elasticsearch, as from version 9: enter the address of Elasticsearch itself instead"
    : "neither Elasticsearch nor Kibana answers at the entered address: check it";
  return new VendorFailure(isKibana ? "unexpected-answer" : "not-found", message);
}

/**
 * Kibana's console proxy, which Kibana doesn't document; its requests and responses are those of
 * https://github.com/elastic/kibana/tree/main/src/platform/plugins/shared/console/server/routes/api/console/proxy
 */
async function askKibana<Body>(
  http: VendorHttp,
  { method, path, json, schema }: ElasticsearchRequest<Body>,
  signal: AbortSignal,
): Promise<Body> {
  const { body, headers } = await http.json(
    {
      method: "POST",
      path: "/api/console/proxy",
      query: { path, method },
      headers: { "kbn-xsrf": "true" },
      ...(json === undefined ? {} : { json }),
      schema: z.json(),
    },
    signal,
  );
  // Kibana responds with 200 whatever Elasticsearch's status.
  const status = Number(headers["x-console-proxy-status-code"] ?? "200");
  if (status >= 400) throw refusal(status);
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new VendorFailure("unexpected-answer", "Kibana passed on an answer of another shape than documented");
}

function refusal(status: number): VendorFailure {
  if (status === 401)
    return new VendorFailure(
      "unauthorized",
      "Elasticsearch rejected the API key (401): connect it again with a valid one",
    );
  if (status === 403)
    return new VendorFailure(
      "forbidden",
      "Elasticsearch doesn't let this API key read logs (403): give it the privilege `read`",
    );
  if (status === 429) return new VendorFailure("rate-limited", "Elasticsearch has too many requests (429)");
  if (status >= 500) return new VendorFailure("unavailable", `Elasticsearch failed behind Kibana (${status})`);
  return new VendorFailure("unexpected-answer", `Elasticsearch answered with status ${status} behind Kibana`);
}
