import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rmdir } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { listIncidents } from "../../examples/shop/demo/await-report.ts";
import { customerOf } from "../../examples/shop/demo/customer.ts";
import { faults } from "../../examples/shop/demo/faults.ts";
import { freePort } from "../../examples/shop/demo/free-port.ts";
import { runFault } from "../../examples/shop/demo/run-fault.ts";
import { startShop } from "../../examples/shop/demo/shop.ts";
import { uploadShop } from "../../examples/shop/demo/upload-sources.ts";
import { startWhenceServer, type WhenceServer } from "../../examples/shop/demo/whence-server.ts";
import { type DemoProcess, startDemo } from "./demo-process.ts";

const repository = join(import.meta.dirname, "../..");

/** Returns the IDs of the processes that a process started and that still run. */
function childrenOf(pid: number | undefined): string[] {
  return execFileSync("pgrep", ["-P", String(pid)], { encoding: "utf8" })
    .trim()
    .split("\n");
}

describe("a free port for the shop", () => {
  it("is above 10080, the last that `fetch` refuses", async () => {
    const below = 32_768;
    // Chance as it is when a port from 10000 to 32767 would be 10080.
    vi.spyOn(Math, "random").mockReturnValueOnce(80.5 / (below - 10_000));
    const port = await freePort();
    expect([port > 10_080, port < below]).toEqual([true, true]);
  });
});

describe("pnpm demo", () => {
  it("prints the report, and ends with 0 and its service", async () => {
    const demo = startDemo(["--fault", "forgotten-await"]);
    expect(await demo.ended()).toBe(0);
    const said = demo.said();
    for (const heading of ["What happened", "How it happened", "Root cause", "Evidence", "Timeline", "Fix now"]) {
      expect(said).toContain(`\n${heading}\n`);
    }
    expect(said).toMatch(
      /\n {2}`\w+` \(`refunds\.ts:8`\) calls `recordAudit` without awaiting it\n.*\n {4}→ `recordAudit`/,
    );
    expect(said).not.toContain("\u001b");
    expect(said.split("\n").filter((line) => line.length > 100 && !line.includes("http://"))).toEqual([]);

    const [url = ""] = /http:\S+\/incidents\/\S+/.exec(said) ?? [];
    expect(URL.canParse(url)).toBe(true);
    await expect(fetch(url)).rejects.toThrow();
  });

  it("says that the service ended while it was kept running, exits with 1, and removes its data", async () => {
    const folder = await mkdtemp(join(tmpdir(), "whence-demo-test-"));
    const demo = startDemo(["--fault", "forgotten-await", "--keep"], { TMPDIR: folder });
    await demo.untilSaid("stop it by");
    // The shop has stopped: the service is its only process.
    const [service] = childrenOf(demo.child.pid);
    process.kill(Number(service), "SIGTERM");
    expect(await demo.ended()).toBe(1);
    expect(demo.complained()).toMatch(/^The demo failed: the service ended\. The last that the server printed:\n/);
    expect(await readdir(folder)).toEqual([]);
    await rmdir(folder);
  });

  it.each<[string, (demo: DemoProcess) => unknown]>([
    ["it is interrupted", ({ child }) => child.kill("SIGINT")],
    ["its output is closed", ({ child }) => child.stdout?.destroy()],
  ])("stops and removes what it started, and exits non-zero, when %s in the middle", async (_when, disturb) => {
    const folder = await mkdtemp(join(tmpdir(), "whence-demo-test-"));
    const demo = startDemo(["--all"], { TMPDIR: folder });
    await demo.untilSaid("Starting the shop");
    expect(await readdir(folder)).not.toEqual([]);
    disturb(demo);
    expect({ code: await demo.ended(), complained: demo.complained() }).toEqual({ code: 130, complained: "" });
    expect(await readdir(folder)).toEqual([]);
    await rmdir(folder);
  });

  it.each([
    [["--al"], /Unknown option '--al'/],
    [["--fault", "fire"], /there is no fault called fire: take one of html-answer, /],
    [["--all", "--fault", "dry-pool"], /not both/],
  ])("answers %j with its usage and exit code 2", async (args, line) => {
    const demo = startDemo(args);
    expect(await demo.ended()).toBe(2);
    expect(demo.complained()).toMatch(line);
    expect(demo.complained()).toContain("Usage: pnpm demo");
  });

  it("reports a failure in one line and exits with 1", async () => {
    const demo = startDemo([], { TMPDIR: join(repository, "no-such-folder") });
    expect(await demo.ended()).toBe(1);
    expect(demo.complained()).toMatch(/^The demo failed: .*no-such-folder.*\n$/);
  });
});

describe("the shop in good health", () => {
  const opened = new AsyncDisposableStack();
  const { signal } = new AbortController();
  let server: WhenceServer;

  beforeAll(async () => {
    server = await startWhenceServer(opened, signal);
  });
  afterAll(() => opened.disposeAsync());

  it("opens no incident, while a fault after it opens exactly one", async () => {
    const shop = await startShop(server, {}, signal);
    const customer = customerOf(shop.url, signal);
    const orderId = await customer.buys("beans");
    await customer.opens(orderId);
    await customer.wantsReceipt(orderId);
    await customer.returnsGoods(orderId);
    await customer.buys("espresso-machine", 409);
    await customer.opens("ord_unknown", 404);
    await shop.stop();

    const [crash] = faults.filter(({ crashes }) => crashes);
    if (!crash) throw new Error("no fault crashes");
    const { incident } = await runFault(crash, server, signal);
    expect((await listIncidents(server, signal)).map(({ id }) => id)).toEqual([incident.id]);
  });
});

describe("a crash that the service is too slow to take", () => {
  it("gets its report once the process is started again", async () => {
    await using opened = new AsyncDisposableStack();
    const { signal } = new AbortController();
    const server = await startWhenceServer(opened, signal);
    await uploadShop(server, signal);
    const [crash] = faults.filter(({ crashes }) => crashes);
    if (!crash) throw new Error("no fault crashes");
    const front = await startSlowFront(server.url, crash.service);
    opened.defer(() => front.close());
    const { incident, problems } = await runFault(crash, { ...server, url: front.url }, signal);
    expect(problems).toEqual([]);
    expect(incident.trigger.kind).toBe("event");
    expect(front.ignored()).toBeGreaterThan(0);
  });
});

/** A front of the service that answers no events of a service's process until that gives up, by dying or after a while. */
async function startSlowFront(origin: string, service: string) {
  let isSlow = true;
  let ignored = 0;
  const front = createServer(async (request, response) => {
    const body = Buffer.from(await new Response(Readable.toWeb(request)).arrayBuffer());
    const isGzip = request.headers["content-encoding"] === "gzip";
    const about = `"service":"${service}"`;
    if (isSlow && (isGzip ? gunzipSync(body) : body).includes(about)) {
      ignored += 1;
      response.once("close", () => {
        isSlow = false;
      });
      return;
    }
    const answer = await fetch(origin + request.url, {
      method: request.method ?? "GET",
      headers: ["x-api-key", "content-type", "content-encoding"].flatMap((name): [string, string][] => {
        const value = request.headers[name];
        return typeof value === "string" ? [[name, value]] : [];
      }),
      ...(body.length > 0 && { body }),
    });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  });
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
  const { port } = z.object({ port: z.number() }).parse(front.address());
  return {
    url: `http://127.0.0.1:${port}`,
    ignored: () => ignored,
    async close() {
      front.closeAllConnections();
      front.close();
      await once(front, "close");
    },
  };
}
