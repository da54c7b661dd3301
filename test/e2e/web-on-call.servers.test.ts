import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bootstrapKey, type ServerProcess } from "../servers/server-process.ts";
import { vendorNames } from "./secrets/vendor-answers.ts";
import { startVendorDouble, type VendorDouble } from "./secrets/vendor-double.ts";
import { batchOf, exceptionEvent, sendBatch } from "./telemetry-batch.ts";
import { becomeOwner, type OpenedService, openService, problemsEverywhere, type WatchedPage } from "./web-page.ts";

let opened: OpenedService;
let double: VendorDouble;
let server: ServerProcess;
let ada: WatchedPage;
let page: Page;

beforeAll(async () => {
  double = await startVendorDouble({});
  const { port, authority } = double;
  opened = await openService({}, { names: vendorNames, port, authority });
  ({ server, window: ada, page } = opened);
  await becomeOwner(page, server);
});
afterAll(async () => {
  await opened?.end();
  await double?.close();
});

describe("an incident of a service with people on call", () => {
  it("names who is on call at PagerDuty, and offers the member with their address as owner", async () => {
    await page.goto(`${server.url}/settings/integrations`);
    await page.getByRole("button", { name: "Connect PagerDuty" }).click();
    await page.getByLabel("API key", { exact: true }).fill("key-of-acme");
    await page.locator("form").getByRole("button", { name: "Connect" }).click();
    await page.getByText("connected", { exact: true }).waitFor();
    const events = ["31", "32", "31"].map((id, index) => ({
      ...exceptionEvent("renderTotal", index + 1),
      user: { id },
    }));
    const failing = batchOf(events, { service: "storefront" });
    expect(await sendBatch(server.url, bootstrapKey, failing)).toBe(true);
    await page.goto(`${server.url}/incidents`);
    await page.getByRole("link", { name: /reading 'total'/ }).click();
    await page.getByText("Ada, PagerDuty", { exact: true }).waitFor();
    expect(await page.content()).not.toContain("ada@example.com");
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("says how many users the failure affected", async () => {
    await page.getByText("2 users", { exact: true }).waitFor();
  });

  it("has them first in the menu of members, and as owner after one click", async () => {
    await page.keyboard.press("h");
    await page.getByRole("menuitem", { name: "Ada (you), on call" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Take it, as you are on call" }).click();
    await page.getByText("Owner: Ada", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Take it, as you are on call" }).waitFor({ state: "detached" });
    expect(ada.noticed).toEqual([]);
  });
});
