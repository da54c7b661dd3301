import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { elasticsearch } from "../../src/elasticsearch/integration.ts";
import type { VendorConnection } from "../../src/integrations/integration.ts";
import { startVendorServer, type VendorAnswerOf, type VendorServer } from "../http/vendor-server.ts";
import { question } from "../integrations/question.ts";

let vendor: VendorServer;
let connection: VendorConnection;
const { signal } = new AbortController();
const apiKey = "aWQ6c2VjcmV0";

beforeEach(async () => {
  vendor = await startVendorServer();
  connection = connect(vendor.url);
});
afterEach(async () => {
  await connection.close();
  await vendor.close();
});

function connect(url: string, key = apiKey): VendorConnection {
  return elasticsearch.connect({ url, api_key: key }, vendor.context);
}

const user = { username: "ada", enabled: true, authentication_type: "api_key", api_key: { id: "id", name: "whence" } };
const securityError = { error: { type: "security_exception", reason: "unauthorized" }, status: 403 };
const noCluster = { status: 403, body: securityError };

/** As https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-search answers, with `fields`. */
const hits = (...found: readonly Readonly<Record<string, unknown>>[]) => ({
  ...{ took: 2, timed_out: false, _shards: { total: 1, successful: 1, skipped: 0, failed: 0 } },
  hits: {
    max_score: null,
    hits: found.map((fields) => ({ _index: "logs-app-default", _id: "1", _score: null, fields, sort: [1] })),
  },
});

type Answers = (path: string) => VendorAnswerOf;

function answerAsElasticsearch(answers: Answers): void {
  vendor.answer(({ url: { pathname } }) => answers(pathname));
}

/** As Kibana's console proxy does: 200, with the status of Elasticsearch in a header. */
function answerAsKibana(answers: Answers, others: Readonly<Record<string, VendorAnswerOf>> = {}): void {
  vendor.answer(({ method, url: { pathname, searchParams }, headers }) => {
    if (others[pathname]) return others[pathname];
    const isProxy = method === "POST" && pathname === "/s/shop/api/console/proxy" && headers["kbn-xsrf"] !== undefined;
    if (!isProxy) return { status: 404, body: { statusCode: 404, error: "Not Found", message: "Not Found" } };
    const { status = 200, body } = answers((searchParams.get("path") ?? "").split("?", 1)[0] ?? "");
    return { body, headers: { "x-console-proxy-status-code": String(status) } };
  });
}

const withHits =
  (found: object): Answers =>
  (path) => {
    if (path === "/_security/_authenticate") return { body: user };
    return path.endsWith("/_search") ? { body: found } : noCluster;
  };

const line = { "@timestamp": ["2026-03-01T11:59:59.000Z"], "log.level": ["ERROR"], "service.name": ["payments"] };

describe("Elasticsearch", () => {
  it("links log lines into the Kibana that was entered for links", async () => {
    answerAsElasticsearch(withHits(hits({ ...line, message: ["declined"] })));
    const inputs = { url: vendor.url, api_key: apiKey, kibana_url: "https://kibana.acme.example/s/shop/app/home" };
    connection = elasticsearch.connect(inputs, vendor.context);
    const [found] = await connection.ask(question, signal);
    expect(found?.url).toMatch(/^https:\/\/kibana\.acme\.example\/s\/shop\/app\/discover#\/\?_g=/);
  });

  it("reports equal lines once, with the error's own text", async () => {
    const failed = { ...line, message: ["charge 17 failed"], "error.message": ["declined"] };
    const earlier = { ...failed, "@timestamp": ["2026-03-01T11:50:00.000Z"], message: ["charge 16 failed"] };
    answerAsElasticsearch(withHits(hits(failed, earlier)));
    expect(await connection.ask(question, signal)).toEqual([
      {
        ...{ kind: "log", vendor: "Elasticsearch", level: "error", message: "charge 17 failed: declined" },
        ...{ source: "payments", at: "2026-03-01T11:59:59.000Z", count: 2, url: null },
      },
    ]);
    const search = vendor.requests.find(({ url }) => url.pathname.endsWith("/_search"));
    expect(search?.url.pathname).toBe(`/${encodeURIComponent("logs*,*-logs*,filebeat-*,logstash-*")}/_search`);
    expect(search?.headers.authorization).toBe(`ApiKey ${apiKey}`);
    expect(JSON.parse(search?.body ?? "")).toMatchObject({
      ...{ size: 200, _source: false },
      query: {
        bool: {
          filter: [
            { range: { "@timestamp": { gte: question.from, lte: question.to } } },
            {},
            { bool: { should: [{ query_string: { query: '"orders" OR "payments" OR "orders-7d9f"' } }, {}] } },
          ],
        },
      },
    });
  });

  it("reads plain lines: their level in the text, and their index as their source", async () => {
    const at = { "@timestamp": ["2026-03-01T12:00:00.000Z"] };
    const json = { ...at, message: ['{"level":60,"msg":"out of memory"}'] };
    const info = { ...at, message: ["INFO no error"] };
    answerAsElasticsearch(withHits(hits(json, info, { ...at, level: [50] }, { message: ["no time"] })));
    expect(await connection.ask(question, signal)).toMatchObject([
      { level: "fatal", message: "out of memory", source: "logs-app-default" },
    ]);
  });

  it("has nothing to report without log lines", async () => {
    answerAsElasticsearch(withHits(hits()));
    expect(await connection.ask(question, signal)).toEqual([]);
  });

  it("can't be made to leave the query by a service's name", async () => {
    answerAsElasticsearch(withHits(hits()));
    await connection.ask({ ...question, service: 'a" OR "*\\', calledHosts: [], host: "" }, signal);
    expect(vendor.requests.at(-1)?.body).toContain(JSON.stringify('"a\\" OR \\"*\\\\"').slice(1, -1));
  });

  it("is verified with the cluster's name, or the API key's when it may not read that", async () => {
    answerAsElasticsearch(withHits(hits()));
    expect(await connection.verify(signal)).toBe("Elasticsearch, API key whence");
    answerAsElasticsearch((path) => (path === "/" ? { body: { cluster_name: "shop" } } : withHits(hits())(path)));
    expect(await connection.verify(signal)).toBe("Elasticsearch, cluster shop");
  });

  it.each([
    [401, "unauthorized"],
    [403, "forbidden"],
    [429, "rate-limited"],
    [503, "unavailable"],
  ])("that answers %i fails as %s, without the API key in the message", async (status, reason) => {
    answerAsElasticsearch(() => ({ status, body: { error: { reason: apiKey }, status } }));
    const failure = await connection.verify(signal).catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason });
    expect(String(failure)).not.toContain(apiKey);
  });

  it("also accepts an API key as its ID and the key", async () => {
    answerAsElasticsearch(withHits(hits()));
    const other = connect(vendor.url, "id:secret");
    await other.verify(signal);
    expect(vendor.requests[0]?.headers.authorization).toBe(`ApiKey ${apiKey}`);
    await other.close();
  });
});

describe("Elasticsearch through Kibana", () => {
  const kibana = () => connect(`${vendor.url}/s/shop/app/discover#/?_a=(x)`);

  it("is queried through the console of the space, including data views about logs", async () => {
    const dataViews = ["shop-log-*", "metrics-*", "logs-*/../_all"].map((title, id) => ({ id: String(id), title }));
    answerAsKibana(withHits(hits({ ...line, message: ["declined"] })), {
      "/s/shop/api/data_views": { body: { data_view: dataViews } },
    });
    connection = kibana();
    expect(await connection.ask(question, signal)).toMatchObject([{ message: "declined", level: "error" }]);
    expect(vendor.requests.at(-1)?.url.searchParams.get("path")).toBe(
      `/${encodeURIComponent("logs*,*-logs*,filebeat-*,logstash-*,shop-log-*")}/_search?ignore_unavailable=true&allow_no_indices=true`,
    );
  });

  it("links log lines to Discover in the space, over the span of the failure", async () => {
    answerAsKibana(withHits(hits({ ...line, message: ["declined"] })), { "/s/shop/api/data_views": { status: 403 } });
    connection = kibana();
    const [found] = await connection.ask({ ...question, service: "it's orders!\ud800" }, signal);
    const [page, state] = (found?.url ?? "").split("#/?");
    expect(page).toBe(`${vendor.url}/s/shop/app/discover`);
    const { _g: span, _a: query = "" } = Object.fromEntries(new URLSearchParams(state));
    expect(span).toBe(`(time:(from:'${question.from}',to:'${question.to}'))`);
    expect(query).toMatch(/^\(query:\(language:lucene,query:'\(error OR exception OR .*\) AND \(.*\)'\)\)$/);
    // What the line was found by: its level, its own field of an error, a name, or the failure's text.
    for (const part of [
      "OR ERROR OR",
      "OR _exists_:error.message OR",
      `"it!'s orders!!\ufffd" OR "payments"`,
      "(reading !'amount!')",
    ])
      expect(query).toContain(part);
    expect(found?.url?.length).toBeLessThan(2_000);
  });

  it("is queried without data views when the API key may not list them", async () => {
    answerAsKibana(withHits(hits(line)), { "/s/shop/api/data_views": { status: 403 } });
    connection = kibana();
    await connection.ask(question, signal);
    expect(vendor.requests.at(-1)?.url.searchParams.get("path")).not.toContain("shop-log");
  });

  it("is verified, and says that it goes through Kibana", async () => {
    answerAsKibana(withHits(hits()));
    connection = kibana();
    expect(await connection.verify(signal)).toBe("Elasticsearch, through Kibana, API key whence");
  });

  it.each([
    [401, "unauthorized"],
    [403, "forbidden"],
    [429, "rate-limited"],
    [500, "unavailable"],
  ])("that answers %i behind Kibana's 200 fails as %s", async (status, reason) => {
    answerAsKibana(() => ({ status, body: { ...securityError, status } }));
    connection = kibana();
    await expect(connection.verify(signal)).rejects.toMatchObject({ reason });
  });

  it("says what to enter when Kibana passes nothing on, as from version 9", async () => {
    const refused = "uri [/api/console/proxy] with method [post] exists but is not available";
    answerAsKibana(withHits(hits()), {
      "/s/shop/api/console/proxy": { status: 400, body: { statusCode: 400, error: "Bad Request", message: refused } },
      "/s/shop/api/status": { body: { status: { overall: { level: "available" } } } },
    });
    connection = kibana();
    await expect(connection.verify(signal)).rejects.toMatchObject({
      message: expect.stringContaining("enter the address of Elasticsearch itself"),
    });
  });

  it.each([
    ["a page", { status: 200, body: "<html>" }],
    ["nothing", { status: 404 }],
  ])("reports when there is %s at the address", async (_, answer) => {
    vendor.answer(() => answer);
    await expect(connection.verify(signal)).rejects.toMatchObject({
      ...{ reason: "not-found", message: expect.stringContaining("neither Elasticsearch nor Kibana") },
    });
  });
});
