import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { startBrowser } from "../servers/browser.ts";
import { freePort } from "../servers/free-port.ts";
import { bootstrapKey, eventually, type ServerProcess, startServerProcess } from "../servers/server-process.ts";

const owner = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
const phoneWidth = 360;
const reportDeadlineMs = 30_000;

let dataDirectory: string;
let server: ServerProcess;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "whence-browser-"));
  server = await startServerProcess(dataDirectory, await freePort());
  browser = await startBrowser();
  page = await browser.newPage({ viewport: { width: phoneWidth, height: 740 } });
});
afterAll(async () => {
  await browser?.close();
  await server?.end("SIGTERM");
  await rm(dataDirectory, { recursive: true, force: true });
});

async function post<Schema extends z.ZodType>(path: string, key: string, body: unknown, schema: Schema) {
  const answer = await fetch(server.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": key },
    body: JSON.stringify(body),
  });
  return schema.parse(await answer.json());
}

describe("a person with a browser", () => {
  it("becomes the owner through the set-up link that the first start prints, once", async () => {
    const link = /set-up\s+(\S+)/.exec(server.output())?.[1] ?? "";
    await page.goto(link);
    await page.getByLabel("Name").fill(owner.name);
    await page.getByLabel("Email").fill(owner.email);
    await page.getByLabel("Password").fill(owner.password);
    await page.getByRole("button", { name: "Become the owner" }).click();
    await page.waitForURL(`${server.url}/`);
    const again = await browser.newPage();
    expect((await again.goto(link))?.status()).toBe(410);
    await again.close();
  });

  it("claims an agent by opening its link and signing in", async () => {
    const registered = z.object({ claim_url: z.string(), api_key: z.string() });
    const agent = await post("/api/agents/register", "", { source: "browser test" }, registered);
    const stranger = await browser.newPage();
    await stranger.goto(agent.claim_url);
    await stranger.getByLabel("Email").fill(owner.email);
    await stranger.getByLabel("Password").fill(owner.password);
    await stranger.getByRole("button", { name: "Sign in" }).click();
    await stranger.getByRole("heading", { name: "The agent is yours" }).waitFor();
    await stranger.close();
  });

  it("reads a report on a phone: nothing is wider than the screen, and no script runs", async () => {
    const errorLog =
      "TypeError: Cannot read properties of undefined (reading 'total')\n    at render (/app/src/cart.js:12:20)";
    const { url } = await post("/api/mcp/analyze", bootstrapKey, { error_log: errorLog }, z.object({ url: z.url() }));
    await eventually("the report", reportDeadlineMs, async () => {
      await page.goto(url);
      return (await page.getByText("cart.js").count()) > 0 || undefined;
    });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(phoneWidth);
    expect(await page.locator("script").count()).toBe(0);
  });

  it("sees nothing of it after signing out", async () => {
    const url = page.url();
    await page.getByRole("button", { name: /sign out/i }).click();
    await page.goto(url);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await page.getByText("cart.js").count()).toBe(0);
  });
});
