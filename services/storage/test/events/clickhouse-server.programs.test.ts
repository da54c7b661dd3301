import { once } from "node:events";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { zstdDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type ClickHouseFront, startClickHouseFront } from "../../../../test/servers/clickhouse-front.ts";
import { freePort } from "../../../../test/servers/free-port.ts";
import { openClickHouseServerEventStore } from "../../src/events/clickhouse-server.ts";
import { stored } from "../stored-event.ts";

let server: ClickHouseFront;
beforeAll(async () => {
  server = await startClickHouseFront();
});
afterAll(() => server.stop());

const retentionDays = 3_650;
const unavailable = { code: "WHENCE_ERR_EVENTS_UNAVAILABLE", status: 503 };

/** A server before the real one, that refuses statements on the schema with an error of ClickHouse. */
async function refusing(code: number, refuses: () => boolean): Promise<{ url: string; refusals: () => number }> {
  let refusals = 0;
  const listener = createServer(async (request, response) => {
    const body = await buffer(request);
    const encoding = request.headers["content-encoding"];
    const statement = encoding === "zstd" ? zstdDecompressSync(body) : body;
    if (/^(CREATE|ALTER) (TABLE|MATERIALIZED)/.test(statement.toString()) && refuses()) {
      refusals += 1;
      response.writeHead(500).end(`Code: ${code}. DB::Exception: no. (SOME_ERROR)\n`);
      return;
    }
    const headers = { ...(encoding !== undefined && { "content-encoding": encoding }) };
    const answer = await fetch(`${server.url}${request.url}`, { method: "POST", body: new Uint8Array(body), headers });
    response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void listener.close());
  await once(listener, "listening");
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}/refused_${code}`, refusals: () => refusals };
}

describe("event store on a server", () => {
  it("opens even when another process changed the schema at the same time", async () => {
    let left = 3;
    const { url, refusals } = await refusing(57, () => left-- > 0);
    const store = await openClickHouseServerEventStore({ url, retentionDays });
    const event = stored({});
    await store.insert([event]);
    expect(await store.forScope(event.scopeId).event(event.event.id)).toEqual(event);
    expect(refusals()).toBe(3);
    await store.close();
  });

  it("gives up on a schema that never stops changing", async () => {
    const { url, refusals } = await refusing(517, () => true);
    await expect(openClickHouseServerEventStore({ url })).rejects.toMatchObject(unavailable);
    expect(refusals()).toBe(6);
  });

  it("doesn't retry what waiting can't fix", async () => {
    const { url, refusals } = await refusing(497, () => true);
    await expect(openClickHouseServerEventStore({ url })).rejects.toMatchObject(unavailable);
    expect(refusals()).toBe(1);
  });

  it("opens for six processes at once, on an empty server, and they share what they store", async () => {
    const url = `${server.url}/at_once`;
    const stores = await Promise.all(
      Array.from({ length: 6 }, () => openClickHouseServerEventStore({ url, retentionDays })),
    );
    const event = stored({ scopeId: "org_shared" });
    await stores[0]?.insert([event]);
    expect(await stores[5]?.forScope("org_shared").event(event.event.id)).toEqual(event);
    await Promise.all(stores.map((store) => store.close()));
  });

  it("keeps databases separate", async () => {
    const here = await openClickHouseServerEventStore({ url: server.url, database: "here", retentionDays });
    const there = await openClickHouseServerEventStore({ url: `${server.url}/there`, retentionDays });
    const event = stored({ scopeId: "org_here" });
    await here.insert([event]);
    expect(await there.forScope("org_here").event(event.event.id)).toBeNull();
    expect(await here.forScope("org_here").event(event.event.id)).toEqual(event);
    await here.close();
    await there.close();
  });

  it("has every acknowledged event once after the server was killed repeatedly while writers retried", async () => {
    const store = await openClickHouseServerEventStore({ url: server.url, retentionDays });
    const fingerprint = "v1:killed";
    let acknowledged = 0;
    let isDone = false;
    const write = async (): Promise<void> => {
      while (!isDone) {
        const group = Array.from({ length: 20 }, () => stored({ scopeId: "org_killed", fingerprint }));
        for (;;) {
          try {
            await store.insert(group);
            acknowledged += group.length;
            break;
          } catch (error) {
            expect(error).toMatchObject(unavailable);
            await new Promise((resolve) => setTimeout(resolve, 50));
          }
        }
      }
    };
    const writers = [write(), write()];
    for (let kill = 0; kill < 3; kill++) {
      const before = acknowledged;
      await expect.poll(() => acknowledged).toBeGreaterThan(before + 60);
      await server.kill("SIGKILL");
      await expect(store.check()).rejects.toMatchObject(unavailable);
      await server.restart();
    }
    isDone = true;
    await Promise.all(writers);
    expect((await store.forScope("org_killed").failure(fingerprint))?.events).toBe(acknowledged);
    const [account] = await store.forScope("org_killed").deliveries({ since: "2026-01-01T00:00:00Z", limit: 1 });
    expect(account).toMatchObject({ received: 1, lastSeq: 1, missingEvents: 0 });
    await store.close();
  });

  it("reports within seconds that a server hangs, and that it responds again", async () => {
    const store = await openClickHouseServerEventStore({ url: server.url, retentionDays });
    await server.kill("SIGSTOP");
    await expect(store.check()).rejects.toMatchObject(unavailable);
    await server.kill("SIGCONT");
    await expect.poll(() => store.check().then(() => "answers", String)).toBe("answers");
    await store.close();
  });

  it("rejects an unreachable server without revealing its password", async () => {
    const url = `http://whence:pw-not-shown@127.0.0.1:${await freePort()}`;
    const refused = openClickHouseServerEventStore({ url, retentionDays });
    await expect(refused).rejects.toMatchObject(unavailable);
    await expect(refused).rejects.not.toThrow(/pw-not-shown/);
  });

  it("logs in as the user of the URL", async () => {
    const logins: (string | undefined)[] = [];
    const listener = createServer((request, response) => {
      logins.push(request.headers.authorization);
      response.writeHead(403).end("no\n");
    }).listen(0, "127.0.0.1");
    await once(listener, "listening");
    const address = listener.address();
    const port = typeof address === "object" ? address?.port : undefined;
    await expect(
      openClickHouseServerEventStore({ url: `http://whence:p%40ss@127.0.0.1:${port}` }),
    ).rejects.toMatchObject(unavailable);
    expect(logins).toEqual([`Basic ${Buffer.from("whence:p@ss").toString("base64")}`]);
    listener.close();
  });
});
