import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ServerProcess } from "../servers/server-process.ts";
import { type OpenedService, openService, problemsEverywhere, type WatchedPage } from "./web-page.ts";

let opened: OpenedService;
let server: ServerProcess;
let reader: WatchedPage;
let page: Page;

beforeAll(async () => {
  opened = await openService();
  ({ server, window: reader, page } = opened);
});
afterAll(() => opened?.end());

describe("the documentation site", () => {
  it("has no accessibility problem at any width, light or dark", async () => {
    for (const path of ["", "http-api", "incidents"]) {
      await page.goto(`${server.url}/docs/${path}`);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      await page.waitForLoadState("networkidle");
      expect([path, await problemsEverywhere(page)]).toEqual([path, []]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

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
