import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../../test/servers/free-port.ts";
import { type PrometheusServers, startPrometheus } from "../../../../test/servers/prometheus.ts";
import { grafana } from "../../src/grafana/integration.ts";
import type { VendorConnection } from "../../src/integrations/integration.ts";
import { startVendorServer, type VendorServer } from "../http/vendor-server.ts";
import { question } from "../integrations/question.ts";

let servers: PrometheusServers;
let vendor: VendorServer;
let connection: VendorConnection;
let down: string;
const { signal } = new AbortController();
/** Around now, which is when the servers run. */
const times = { at: 0, from: -3_600_000, to: 300_000 };
const about = {
  ...question,
  ...Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, new Date(Date.now() + ms).toISOString()])),
};

beforeAll(async () => {
  down = `127.0.0.1:${await freePort()}`;
  const alerts = { HighErrorRate: { severity: "page", service: "orders" }, Watchdog: { severity: "none" } };
  servers = await startPrometheus({ targets: [down], alerts });
  vendor = await startVendorServer();
  const inputs = { instance_url: vendor.url, service_account_token: "t" };
  connection = grafana.connect(inputs, { ...vendor.context, clock: Date.now });
});
afterAll(async () => {
  await connection?.close();
  await vendor?.close();
  await servers?.stop();
});

/** A Grafana with data sources of these types, which passes on what is asked of them. */
function answerWith(types: readonly ("prometheus" | "alertmanager")[]): void {
  vendor.answer(({ url: { pathname, search } }, response) => {
    const [prefix, type] = /^\/api\/datasources\/proxy\/uid\/(prometheus|alertmanager)(?=\/)/.exec(pathname) ?? [];
    if (prefix !== undefined) {
      const server = type === "prometheus" ? servers.prometheus : servers.alertmanager;
      void passOn(server + pathname.slice(prefix.length) + search, response);
      return undefined;
    }
    if (pathname === "/api/annotations") return { body: [] };
    if (pathname === "/api/datasources") return { body: types.map((type) => ({ uid: type, name: type, type })) };
    return { body: { status: "success", data: { alerts: [] } } };
  });
}

async function passOn(url: string, response: ServerResponse): Promise<void> {
  const answer = await fetch(url).catch(() => null);
  response.writeHead(answer?.status ?? 502).end(await answer?.text());
}

describe("Grafana in front of Prometheus and Alertmanager", () => {
  it("reports firing alerts once, targets that are down, and processes that started", async () => {
    answerWith(["prometheus", "alertmanager"]);
    const found = () => connection.ask(about, signal);
    await expect.poll(found).toMatchObject([{ title: "HighErrorRate: it always fires" }, {}, {}]);
    const reported = (await found()).map((finding) => (finding.kind === "problem" ? finding : null));
    expect(reported.map((problem) => [problem?.what, problem?.title, problem?.target])).toEqual([
      ["alarm", "HighErrorRate: it always fires", "orders"],
      ["failed-check", `Prometheus can't scrape payments at ${down}`, "payments"],
      ["restart", `${new URL(servers.prometheus).host} started`, "orders"],
    ]);
  });

  it("reports the alert that Prometheus sent to Alertmanager", async () => {
    answerWith(["alertmanager"]);
    await expect
      .poll(() => connection.ask(about, signal))
      .toMatchObject([{ kind: "problem", what: "alarm", title: "HighErrorRate: it always fires", target: "orders" }]);
  });
});
