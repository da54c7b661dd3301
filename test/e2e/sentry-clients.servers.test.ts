import { once } from "node:events";
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorListSchema, serviceDetailSchema } from "@whence/protocol";
import { build } from "tsup";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { root } from "../repository-files.ts";
import { startBrowser } from "../servers/browser.ts";
import { freePort } from "../servers/free-port.ts";
import { packageFolder } from "../servers/installed-packages.ts";
import { becomeOwner } from "../servers/owner-session.ts";
import { findPython } from "../servers/python.ts";
import { eventually, type ServerProcess, startServerProcess } from "../servers/server-process.ts";
import { incidentOf, lineOf, placeOf, programOf, runProgram, variablesOf } from "./reporting-programs.ts";

const guide = "docs/sdk/sentry-clients.md";
const uploads = join(root, "services/analyzer/test/sources/artifacts/recorded");
const recordings = join(root, "services/gateway/test/sentry/recorded");

const rangeSchema = z.object({ from_seq: z.int(), to_seq: z.int(), reason: z.string() });
const deliveriesSchema = z.object({ deliveries: z.array(z.object({ missing: z.array(rangeSchema) })) });

let folder: string;
let server: ServerProcess;
let cookie: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "whence-sentry-")));
  server = await startServerProcess(join(folder, "data"), await freePort());
  cookie = await becomeOwner(server.url, server.output());
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});

/** Creates the DSN of a service, as an owner does under Settings → API keys. */
async function dsnOf(service: string, origins: readonly string[] = []): Promise<string> {
  const answer = await fetch(`${server.url}/api/keys`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie },
    body: JSON.stringify({ name: service, scope: "sentry", project: { service, origins } }),
  });
  return z.object({ dsn: z.string() }).parse(await answer.json()).dsn;
}

/** Returns what the guide sets, for a service of the reader's. */
async function variablesFor(service: string): Promise<Record<string, string>> {
  const shown = "https://whk_Vt3xKm…@whence.shop.example/482910375566";
  const dsn = await dsnOf(service);
  const set = variablesOf(guide, { [shown]: dsn });
  expect(set).toEqual({ SENTRY_DSN: dsn });
  return set;
}

/** Puts Sentry's client for Node.js where the programs of a folder find it. */
async function installClient(name: string): Promise<void> {
  await mkdir(join(folder, name, "node_modules/@sentry"), { recursive: true });
  const installed = packageFolder(join(root, "sdks/node/package.json"), "@sentry/node");
  await symlink(installed, join(folder, name, "node_modules/@sentry/node"));
}

// Without a release, the client reports no session.
const init = 'Sentry.init({ dsn: new URLSearchParams(location.search).get("dsn"), release: "1.4.2" });';
/** A page that fails when it is clicked. */
const shop = `${init}
const totalOf = (order) =>
  order.lines.length;
addEventListener("click", () => totalOf({}));
`;

/** Serves a page on an origin of its own, with the client as a bundle and other scripts after it. */
async function startShop(scripts: Readonly<Record<string, string>>) {
  const entry = { sentry: join(import.meta.dirname, "programs/sentry-browser.ts") };
  const outDir = join(folder, "bundle");
  await build({
    ...{ entry, outDir, format: "iife", globalName: "Sentry", platform: "browser", target: "es2022" },
    ...{ config: false, silent: true, outExtension: () => ({ js: ".js" }) },
  });
  const all = { "sentry.js": await readFile(join(outDir, "sentry.js"), "utf8"), ...scripts };
  const page = `<!doctype html><title>Shop</title>${Object.keys(all)
    .map((name) => `<script src=${name}></script>`)
    .join("")}`;
  const answers = new Map([
    ["/", { type: "text/html", text: page }],
    ...Object.entries(all).map(([name, text]) => [`/${name}`, { type: "text/javascript", text }] as const),
  ]);
  const shopServer = createServer(({ url = "/" }, response) => {
    const answer = answers.get(new URL(url, "http://shop").pathname);
    if (answer) response.writeHead(200, { "content-type": answer.type }).end(answer.text);
    else response.writeHead(404).end();
  });
  const port = await freePort();
  await once(shopServer.listen(port, "127.0.0.1"), "listening");
  return { origin: `http://127.0.0.1:${port}`, server: shopServer };
}

/** Opens a page, and clicks in it. */
async function clickIn(origin: string, dsn: string): Promise<void> {
  const browser = await startBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`${origin}/?dsn=${encodeURIComponent(dsn)}`);
    const sent = page.waitForResponse(
      (response) => response.url().includes("/envelope/") && /"type":"event"/.test(response.request().postData() ?? ""),
    );
    await page.mouse.click(10, 10);
    expect((await sent).status()).toBe(200);
  } finally {
    await browser.close();
  }
}

/** Uploads the recorded bundle for a service, with the requests that sentry-cli sends. */
async function uploadRecorded(service: string): Promise<void> {
  const created = await fetch(`${server.url}/api/keys`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie },
    body: JSON.stringify({ name: "CI", scope: "release" }),
  });
  const { api_key: key } = z.object({ api_key: z.string() }).parse(await created.json());
  const authorization = `Bearer ${key}`;
  const path = `${server.url}/api/0/organizations/any`;
  const described = await fetch(`${path}/chunk-upload/`, { headers: { authorization } });
  const { url } = z.object({ url: z.string() }).parse(await described.json());
  const recorded: object = JSON.parse(await readFile(join(uploads, "assemble.json"), "utf8"));
  const assemble = async (): Promise<unknown> => {
    const headers = { authorization, "content-type": "application/json" };
    const body = JSON.stringify({ ...recorded, projects: [service] });
    const answer = await fetch(`${path}/artifactbundle/assemble/`, { method: "POST", headers, body });
    return z.object({ state: z.string() }).parse(await answer.json()).state;
  };
  expect(await assemble()).toBe("not_found");
  const form = await readFile(join(uploads, "upload.form"));
  const type = `multipart/form-data; boundary=${form.subarray(2, form.indexOf("\r\n")).toString()}`;
  const uploaded = await fetch(url, { method: "POST", headers: { authorization, "content-type": type }, body: form });
  expect(uploaded.status).toBe(200);
  expect(await assemble()).toBe("ok");
}

describe("a program with one of Sentry's clients, whose DSN alone was changed", () => {
  it("of Node.js gets a report that names the line that caused its error", async () => {
    const program = await programOf(guide, "js", folder, "orders.mjs");
    await installClient("js");
    const printed = await runProgram(process.execPath, program, await variablesFor("orders-node"));
    expect(printed).toContain("TypeError");
    expect(await placeOf(server.url, "orders-node")).toBe(`${program}:${await lineOf(program, "order.lines.length")}`);
  });

  it("of Node.js makes the monitor of its scheduled job, and gets an incident when a run of it fails", async () => {
    const program = await programOf(guide, "javascript", folder, "invoices.mjs");
    await installClient("javascript");
    expect(await runProgram(process.execPath, program, await variablesFor("invoices"))).toContain(
      "the printer is out of paper",
    );
    const monitor = await eventually("the alert of the job", async () => {
      const answer = await fetch(`${server.url}/api/monitors`, { headers: { cookie } });
      const { monitors } = monitorListSchema.parse(await answer.json());
      return monitors.find(({ service, state, incident_id: incident }) => {
        return service === "invoices" && state === "alerting" && incident !== null;
      });
    });
    expect(monitor).toMatchObject({
      check: { slug: "send-invoices", schedule: { type: "crontab", crontab: "0 3 * * *", time_zone: "Europe/Berlin" } },
      last_result: { outcome: "failed", reason: "reported an error" },
    });
    expect(monitor.incident_id).toMatch(/^inc_/);
  });

  it("of Node.js has what it dropped under deliveries, with the reason, and its failed call in the trace of its error", async () => {
    await installClient("losing");
    const program = join(folder, "losing", "losing.mjs");
    const closed = `http://127.0.0.1:${await freePort()}/charges`;
    await writeFile(
      program,
      `import * as Sentry from "@sentry/node";

Sentry.init({
  dsn: process.env.SENTRY_DSN,
  tracesSampleRate: 1,
  beforeSend: (event) => (event.message === "unwanted" ? null : event),
});
Sentry.captureMessage("unwanted");
Sentry.captureMessage("unwanted");
await Sentry.startSpan({ name: "checkout", op: "http.server" }, async () => {
  await fetch("${closed}").catch(() => undefined);
  Sentry.captureException(new Error("the order can't be paid"));
});
await Sentry.flush(5_000);
`,
    );
    await runProgram(process.execPath, program, { SENTRY_DSN: await dsnOf("losing") });
    const missing = await eventually("the report of what was dropped", async () => {
      const answer = await fetch(`${server.url}/api/deliveries?service=losing`, { headers: { cookie } });
      const { deliveries } = deliveriesSchema.parse(await answer.json());
      return deliveries.find(({ missing: ranges }) => ranges.length > 0)?.missing;
    });
    expect(missing).toEqual([{ from_seq: 1, to_seq: 2, reason: "before_send" }]);
    const { report } = await incidentOf(server.url, "losing");
    expect(JSON.stringify(report?.evidence)).toContain(closed);
    // As a span, too, beside what the error says happened before it.
    const counted = await (await fetch(`${server.url}/metrics`)).text();
    expect(counted).toMatch(/whence_sentry_items_total\{(?=[^}]*type="span")(?=[^}]*outcome="stored")[^}]*\} [1-9]/);
  });

  it("of Node.js keeps an error that comes with an attachment of 5 MB", async () => {
    await installClient("attaching");
    const program = join(folder, "attaching", "attaching.mjs");
    await writeFile(
      program,
      `import { randomBytes } from "node:crypto";
import * as Sentry from "@sentry/node";

Sentry.init({ dsn: process.env.SENTRY_DSN });
Sentry.getCurrentScope().addAttachment({ filename: "app.log", data: randomBytes(5_000_000) });
Sentry.captureException(new Error("the disk is full"));
await Sentry.flush(20_000);
`,
    );
    await runProgram(process.execPath, program, { SENTRY_DSN: await dsnOf("attaching") });
    const { title } = await incidentOf(server.url, "attaching");
    expect(title).toContain("the disk is full");
  });

  it("of Python gets a report that names the line that caused its error", async () => {
    const program = await programOf(guide, "python", folder, "orders.py");
    const python = findPython();
    expect(await runProgram(python, program, await variablesFor("orders-python"))).toContain("KeyError");
    expect(await placeOf(server.url, "orders-python")).toBe(`${program}:${await lineOf(program, 'order["lines"]')}`);
  });

  // Recorded, since their toolchains would have to be installed.
  it.each([
    ["go", "/srv/orders/orders.go:13"],
    ["java", "com/shop/Orders.java:15"],
    ["ruby", "/srv/orders/lib/orders.rb:6"],
    ["php", "/srv/orders/orders.php:9"],
    ["react-native", "main.jsbundle:595"],
    ["rust", "/srv/orders/src/main.rs:2"],
  ])("of %s, as recorded, gets a report that names the line that caused its error", async (language, place) => {
    const { origin, username, pathname } = new URL(await dsnOf(`orders-${language}`));
    const answer = await fetch(`${origin}/api${pathname}/envelope/`, {
      method: "POST",
      headers: { "x-sentry-auth": `Sentry sentry_version=7, sentry_key=${username}` },
      body: await readFile(join(recordings, `${language}.envelope`)),
    });
    expect(answer.status).toBe(200);
    expect(await placeOf(server.url, `orders-${language}`)).toBe(place);
  });

  it("in a page gets a report that names the line that caused its error", async () => {
    const { origin, server: shopServer } = await startShop({ "shop.js": shop });
    try {
      await clickIn(origin, await dsnOf("shop", [origin]));
      expect(await placeOf(server.url, "shop")).toBe(`${origin}/shop.js:3`);
      const detail = await eventually("the session of the page", async () => {
        const answer = await fetch(`${server.url}/api/services/shop`, { headers: { cookie } });
        const read = serviceDetailSchema.safeParse(await answer.json()).data;
        return read?.unhandled_sessions ? read : undefined;
      });
      // To this client, a page goes on after an error that nothing caught.
      const counted = { sessions: 1, crashed_sessions: 0, unhandled_sessions: 1 };
      expect(detail).toMatchObject({ ...counted, releases: [{ release: "1.4.2", ...counted }] });
    } finally {
      shopServer.closeAllConnections();
      shopServer.close();
    }
  });

  it("in a built page gets a report on the original code, whose map sentry-cli uploaded", async () => {
    await uploadRecorded("built-shop");
    const built = await readFile(join(uploads, "shop.js.txt"), "utf8");
    const { origin, server: shopServer } = await startShop({ "init.js": init, "static/shop.js": built });
    try {
      await clickIn(origin, await dsnOf("built-shop", [origin]));
      expect(await placeOf(server.url, "built-shop")).toBe("src/cart.ts:7");
    } finally {
      shopServer.closeAllConnections();
      shopServer.close();
    }
  });
});
