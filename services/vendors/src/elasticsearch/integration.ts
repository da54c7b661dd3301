import type { OutsideFinding } from "@whence/protocol";
import { z } from "zod";
import { enteredAddress } from "../http/addresses.ts";
import { VendorFailure } from "../http/vendor-failure.ts";
import { openVendorHttp, type VendorHttp } from "../http/vendor-http.ts";
import type { FailureQuestion, Integration } from "../integrations/integration.ts";
import { readLine, withErrorText } from "../integrations/line-text.ts";
import { type LogLine, repeatedLines } from "../integrations/repeated-lines.ts";
import { type ElasticsearchAccess, reachElasticsearch } from "./access.ts";
import { discoverLink } from "./discover-link.ts";
import { logFields, logQuery, logSearch } from "./query.ts";

const inputsSchema = z.object({ url: z.string(), api_key: z.string(), kibana_url: z.string().optional() });

/** https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-search */
const hitsSchema = z.object({
  hits: z.object({
    hits: z.array(z.object({ _index: z.string(), fields: z.record(z.string(), z.array(z.unknown())).default({}) })),
  }),
});

type Hit = z.infer<typeof hitsSchema>["hits"]["hits"][number];

/** https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-info */
const clusterSchema = z.object({ cluster_name: z.string() });

/** https://www.elastic.co/docs/api/doc/kibana/operation/operation-getalldataviewsdefault */
const dataViewsSchema = z.object({ data_view: z.array(z.object({ title: z.string() })) });

/** Where Elastic Agent, Filebeat, Logstash, and most others write logs. */
const usualIndices = ["logs*", "*-logs*", "filebeat-*", "logstash-*"];
const dataViewsMax = 10;

/**
 * Elasticsearch, at its own address or through Kibana: error lines around the failure.
 * https://www.elastic.co/docs/api/doc/elasticsearch/
 */
export const elasticsearch: Integration = {
  kind: "search",
  vendor: "Elasticsearch",
  checkedAgainst:
    "a double of our own, from the documented answers; its search once ran on osmem 0.1.6, an OpenSearch-compatible server",
  connect(inputs, context) {
    const { url, api_key: apiKey, kibana_url: kibanaUrl } = inputsSchema.parse(inputs);
    const baseUrl = kibanaAddress(url);
    const headers = { authorization: `ApiKey ${encodedKey(apiKey)}` };
    const http = openVendorHttp({ ...context, vendor: "Elasticsearch", baseUrl, headers });
    return {
      async verify(signal) {
        const access = await reachElasticsearch(http, signal);
        const json = { size: 0, track_total_hits: false };
        const path = searchPath(usualIndices);
        await access.ask({ method: "POST", path, json, schema: hitsSchema }, signal);
        return ownerOf(access, signal);
      },
      async ask(about, signal) {
        const access = await reachElasticsearch(http, signal);
        const indices = [...usualIndices, ...(access.isKibana ? await logDataViews(http, signal) : [])];
        const kibana = kibanaUrl === undefined ? (access.isKibana ? baseUrl : null) : kibanaAddress(kibanaUrl);
        const lines = await linesOf(access, indices, about, signal);
        const shown = kibana && discoverLink(kibana.href.replace(/\/+$/, ""), logQuery(about), about);
        return lines.map((line) => ({ ...line, url: shown }));
      },
      close: () => http.close(),
    };
  },
};

/** People copy the address of the Kibana page that they are on. */
function kibanaAddress(entered: string): URL {
  const address = enteredAddress(entered);
  address.pathname = address.pathname.replace(/\/(?:app|login)(?:\/.*)?$/, "/");
  return address;
}

/** Elasticsearch shows a key in encoded form, and also as its ID and the key itself, separated by a colon. */
function encodedKey(key: string): string {
  return key.includes(":") ? Buffer.from(key).toString("base64") : key;
}

/** The cluster's name requires the privilege `monitor`, which reading logs doesn't. */
async function ownerOf({ ask, isKibana, user }: ElasticsearchAccess, signal: AbortSignal): Promise<string> {
  const way = isKibana ? "Elasticsearch, through Kibana" : "Elasticsearch";
  const cluster = await ask({ method: "GET", path: "/", schema: clusterSchema }, signal).then(
    (body) => body.cluster_name,
    () => null,
  );
  signal.throwIfAborted();
  return cluster === null ? `${way}, API key ${user.api_key?.name ?? user.username}` : `${way}, cluster ${cluster}`;
}

/** Returns index patterns of the data views with logs in their name; empty when the API key may not list them. */
async function logDataViews(http: VendorHttp, signal: AbortSignal): Promise<string[]> {
  try {
    const { body } = await http.json({ path: "/api/data_views", schema: dataViewsSchema }, signal);
    const titles = body.data_view.map(({ title }) => title.replaceAll(/\s/g, ""));
    return titles.filter((title) => /^[\w*.:,-]*logs?[\w*.:,-]*$/i.test(title)).slice(0, dataViewsMax);
  } catch (error) {
    if (error instanceof VendorFailure) return [];
    throw error;
  }
}

function searchPath(indices: readonly string[]): string {
  const pattern = encodeURIComponent(indices.join(","));
  return `/${pattern}/_search?ignore_unavailable=true&allow_no_indices=true`;
}

async function linesOf(
  { ask }: ElasticsearchAccess,
  indices: readonly string[],
  about: FailureQuestion,
  signal: AbortSignal,
): Promise<OutsideFinding[]> {
  const search = { method: "POST", path: searchPath(indices), json: logSearch(about), schema: hitsSchema } as const;
  const { hits } = await ask(search, signal);
  return repeatedLines("Elasticsearch", hits.hits.flatMap(lineOf), about);
}

function lineOf({ _index, fields }: Hit): LogLine[] {
  const first = (names: readonly string[]): string | null =>
    names
      .flatMap((name) => fields[name] ?? [])
      .filter((value) => typeof value === "string")
      .find((value) => value !== "") ?? null;
  const at = first([logFields.time]);
  const said = readLine(first(logFields.message) ?? "");
  const message = withErrorText(said.message, first(logFields.error));
  const level = first(logFields.level)?.toLowerCase() ?? said.level;
  return at === null ? [] : [{ level, message, source: first(logFields.source) ?? _index, at, url: null }];
}
