import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bootstrapKey, type ServerProcess } from "../servers/server-process.ts";
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

/** Returns the part of the page with one operation. */
const operation = (path: string) => page.locator(".opblock", { has: page.locator(`[data-path="${path}"]`) });

describe("the page of the HTTP API", () => {
  it("has no accessibility problem at any width", async () => {
    for (const query of ["", "?of=application"]) {
      await page.goto(`${server.url}/docs/api${query}`);
      await page.getByRole("region", { name: "About the API" }).waitFor();
      expect([query, await problemsEverywhere(page)]).toEqual([query, []]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("shows the public operations, and sends one with the reader's key", async () => {
    await page.goto(`${server.url}/docs/api`);
    const analyze = operation("/api/mcp/analyze");
    await analyze.getByText("POST", { exact: true }).waitFor();
    await analyze.getByRole("button").first().click();
    await analyze.getByRole("button", { name: "Try it out" }).click();
    await analyze.locator("[data-param-name='X-API-Key'] input").fill(bootstrapKey);
    await analyze.locator("textarea").fill(JSON.stringify({ error_log: "Error: boom" }));
    await analyze.getByRole("button", { name: "Execute" }).click();
    await analyze.locator(".live-responses-table").getByText("incident_id").first().waitFor();
    expect(reader.noticed).toEqual([]);
  });

  it("shows the application's operations behind its link, and requests nothing from other servers", async () => {
    await page.getByRole("link", { name: "All other operations" }).click();
    await operation("/api/telemetry/events").getByText("POST", { exact: true }).waitFor();
    expect(await operation("/api/incidents").count()).toBe(1);
    expect(reader.noticed).toEqual([]);
  });
});
