import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { becomeOwner, type OpenedService, openService, problemsEverywhere } from "./web-page.ts";

let opened: OpenedService;
let page: Page;

beforeAll(async () => {
  opened = await openService();
  ({ page } = opened);
  await becomeOwner(page, opened.server);
});
afterAll(() => opened?.end());

/** Answers for a file of the application as a service does that was updated since the page was opened. */
async function takeAway(name: string, kind = "js"): Promise<() => Promise<void>> {
  const files = new RegExp(`/assets/${name}-[\\w-]+\\.${kind}$`);
  const gone = (route: Route) => route.fulfill({ status: 404, json: { code: "WHENCE_ERR_ROUTE_UNKNOWN" } });
  await page.route(files, gone);
  return () => page.unroute(files, gone);
}

describe("a page that was opened before the service was updated", () => {
  it("works on without a part that is gone, and offers to reload", async () => {
    const giveBack = await takeAway("keyboard-help");
    await page.keyboard.press("?");
    const notice = page.getByRole("status").filter({ hasText: "Part of this page couldn't be loaded" });
    const reload = notice.getByRole("button", { name: "Reload page" });
    await reload.waitFor();
    expect(await page.getByRole("heading", { name: "Add a service" }).isVisible()).toBe(true);
    expect(await problemsEverywhere(page)).toEqual([]);
    await giveBack();
    await Promise.all([page.waitForEvent("load"), reload.click()]);
    await page.getByRole("heading", { name: "Add a service" }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
  });

  it("works on without a part whose style sheet is gone", async () => {
    const giveBack = await takeAway("keyboard-help", "css");
    await page.reload();
    await page.getByRole("heading", { name: "Add a service" }).waitFor();
    await page.keyboard.press("?");
    await page.getByText("Part of this page couldn't be loaded").waitFor();
    expect(await page.getByRole("heading", { name: "Add a service" }).isVisible()).toBe(true);
    await giveBack();
    await page.reload();
  });

  it("keeps the button of a menu that is gone", async () => {
    const giveBack = await takeAway("account-menu");
    await page.reload();
    const button = page.getByRole("button", { name: /^Account:/ });
    await button.click();
    await page.getByText("Part of this page couldn't be loaded").waitFor();
    expect(await button.isVisible()).toBe(true);
    await giveBack();
    await page.reload();
    await button.click();
    await page.getByRole("menu").waitFor();
    await page.keyboard.press("Escape");
  });

  it("reloads when someone goes to another of its pages", async () => {
    const giveBack = await takeAway("accuracy");
    const reload = page.waitForRequest((request) => request.isNavigationRequest());
    await page.getByRole("link", { name: "Accuracy" }).click();
    await reload;
    await giveBack();
    await page.getByRole("heading", { name: "Accuracy" }).waitFor();
  });

  it("says what to do when that page is still gone", async () => {
    const giveBack = await takeAway("failures");
    await page.getByRole("link", { name: "Failures" }).click();
    await page.getByRole("heading", { name: "This page couldn't be shown" }).waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await giveBack();
    await page.getByRole("button", { name: "Reload page" }).click();
    await page.getByRole("heading", { name: "Failures", exact: true }).waitFor();
  });
});
