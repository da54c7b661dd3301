import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBrowser } from "../servers/browser.ts";
import { freePort } from "../servers/free-port.ts";
import { type ServerProcess, startServerProcess } from "../servers/server-process.ts";
import { openWindow, type WatchedPage } from "./web-page.ts";

let dataDirectory: string;
let server: ServerProcess;
let browser: Browser;
let reader: WatchedPage;
let page: Page;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "whence-docs-"));
  server = await startServerProcess(dataDirectory, await freePort());
  browser = await startBrowser();
  reader = await openWindow(browser, server.url);
  ({ page } = reader);
});
afterAll(async () => {
  await browser?.close();
  await server?.end("SIGTERM");
  await rm(dataDirectory, { recursive: true, force: true });
});

describe("the documentation site", () => {
  it("links from its start to a page, within its policy and without requests to other servers", async () => {
    await page.goto(`${server.url}/docs`);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await page.getByRole("link", { name: "Run the service" }).first().click();
    await page.getByRole("heading", { level: 1, name: /Self-hosting/ }).waitFor();
    expect(page.url()).toBe(`${server.url}/docs/self-hosting`);
    expect(reader.noticed).toEqual([]);
  });

  it("finds a page by its content", async () => {
    await page.getByRole("button", { name: "Search" }).first().click();
    await page.getByRole("searchbox").fill("retention_days");
    await page.getByRole("option").first().click();
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(reader.noticed).toEqual([]);
  });

  it("links to the explorer of the HTTP API, which is a page of the service", async () => {
    await page.goto(`${server.url}/docs/http-api`);
    await page.getByRole("link", { name: "HTTP API explorer" }).first().click();
    await page.locator(".opblock").first().waitFor();
    expect(reader.noticed).toEqual([]);
  });
});
