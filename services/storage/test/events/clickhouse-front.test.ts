import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClickHouseFront, startClickHouseFront } from "../../../../test/servers/clickhouse-front.ts";

let front: ClickHouseFront;
beforeAll(async () => {
  front = await startClickHouseFront();
});
afterAll(() => front.stop());

async function ask(
  parameters: Record<string, string>,
  body: string | Uint8Array<ArrayBuffer> = "",
  headers = {},
): Promise<Response> {
  return fetch(`${front.url}/?${new URLSearchParams(parameters)}`, { method: "POST", body, headers });
}

async function text(parameters: Record<string, string>, body: string | Uint8Array<ArrayBuffer> = ""): Promise<string> {
  return (await ask(parameters, body)).text();
}

describe("the front over the embedded engine", () => {
  it("answers a ping", async () => {
    expect(await (await fetch(`${front.url}/ping`)).text()).toBe("Ok.\n");
  });

  it("takes a statement in the URL or the body, with parameters, settings, and a format", async () => {
    expect(await text({ query: "SELECT 1" })).toBe("1\n");
    expect(await text({ param_name: "a\\tb's" }, "SELECT {name:String} = 'a\\tb''s'")).toBe("1\n");
    expect(await text({ param_names: "['it\\'s','b']" }, "SELECT {names:Array(String)}[1]")).toBe("it\\'s\n");
    expect(await text({ query: "SELECT 1 AS one", default_format: "JSONEachRow" })).toBe('{"one":1}\n');
    expect(await text({ query: "SELECT getSetting('max_threads')", max_threads: "3" })).toBe("3\n");
  });

  it("discards a request's settings, database, and parameters after the request, and ignores server settings", async () => {
    const before = await text({ query: "SELECT getSetting('max_block_size')" });
    await text({ query: "SELECT 1", max_block_size: "77", database: "system", no_such_setting: "1", param_x: "1" });
    expect(await text({ query: "SELECT getSetting('max_block_size'), currentDatabase()" })).toBe(
      `${before.trim()}\tdefault\n`,
    );
    expect((await ask({ query: "SELECT {x:UInt8}" })).status).toBe(500);
  });

  it("takes rows, gzipped or plain, and returns gzipped responses on request", async () => {
    await text({}, "CREATE TABLE numbers (n UInt32) ENGINE = MergeTree ORDER BY n");
    const query = "INSERT INTO numbers (n) FORMAT JSONEachRow";
    expect((await ask({ query }, '{"n":1}\n{"n":2}\n')).status).toBe(200);
    expect((await ask({ query }, new Uint8Array(gzipSync('{"n":3}\n')), { "Content-Encoding": "gzip" })).status).toBe(
      200,
    );
    const asked = await ask({ query: "SELECT sum(n) FROM numbers", enable_http_compression: "1" }, "", {
      "Accept-Encoding": "gzip",
    });
    expect(asked.headers.get("content-encoding")).toBe("gzip");
    expect(await asked.text()).toBe("6\n");
  });

  it("answers a rejected statement with 500, its code, and its text", async () => {
    const refused = await ask({ query: "SELECT * FROM nowhere" });
    expect(refused.status).toBe(500);
    expect(refused.headers.get("x-clickhouse-exception-code")).toBe("60");
    expect(await refused.text()).toMatch(/^Code: 60\. DB::Exception: .*UNKNOWN_TABLE/s);
  });

  it("serves 50 clients at once, each with its own parameters", async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => text({ query: "SELECT {n:UInt32}", param_n: String(index) })),
    );
    expect(answers).toEqual(Array.from({ length: 50 }, (_, index) => `${index}\n`));
  });

  it("keeps its data and its address across a kill and a restart", async () => {
    await text({}, "CREATE TABLE kept (n UInt32) ENGINE = MergeTree ORDER BY n");
    await text({ query: "INSERT INTO kept VALUES (7)" });
    await front.kill("SIGKILL");
    await expect(fetch(`${front.url}/ping`)).rejects.toThrow();
    await front.restart();
    expect(await text({ query: "SELECT n FROM kept" })).toBe("7\n");
  });
});
