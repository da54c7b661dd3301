import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bootstrapKey, eventually, type ServerProcess } from "../servers/server-process.ts";
import { batchOf, exceptionEvent, sendBatch } from "./telemetry-batch.ts";
import {
  becomeOwner,
  isRefusal,
  type OpenedService,
  openService,
  problemsEverywhere,
  type WatchedPage,
} from "./web-page.ts";

let opened: OpenedService;
let server: ServerProcess;
let ada: WatchedPage;
let page: Page;

beforeAll(async () => {
  opened = await openService({ WHENCE_SIGNUP: "open" });
  ({ server, window: ada, page } = opened);
  await becomeOwner(page, server);
  // The most frequent one opened first.
  for (const [service, times] of [
    ["basket", 3],
    ["orders", 2],
    ["payments", 1],
  ] as const) {
    const events = Array.from({ length: times }, (_, index) => exceptionEvent(`fail_${service}`, index + 1));
    expect(await sendBatch(server.url, bootstrapKey, batchOf(events, { service }))).toBe(true);
    await eventually(`the incident of ${service}`, async () => {
      const answer = await page.request.get(`${server.url}/api/incidents`);
      return (await answer.text()).includes(service) || undefined;
    });
  }
  await page.goto(`${server.url}/incidents`);
  await row("payments").waitFor();
});
afterAll(() => opened?.end());

/** Checks the page at every size, and continues at the widest. */
async function barriers(): Promise<string[]> {
  const found = await problemsEverywhere(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  return found;
}

const list = () => page.getByRole("list", { name: "Incidents" });
const row = (service: string) => list().getByRole("listitem").filter({ hasText: service });
/** The services of the rows, from top to bottom. */
const order = async (): Promise<string[]> => {
  const texts = await list().getByRole("listitem").allInnerTexts();
  return texts.map((text) => /basket|orders|payments/.exec(text)?.[0] ?? "");
};

async function bottomOf(shown: Locator): Promise<number> {
  const box = await shown.boundingBox();
  return box === null ? Number.NaN : box.y + box.height;
}

describe("the list of incidents", () => {
  it("is sorted by events, and stays so after a reload", async () => {
    await expect.poll(order).toEqual(["payments", "orders", "basket"]);
    await page.getByLabel("Sort", { exact: true }).selectOption("events");
    await expect.poll(order).toEqual(["basket", "orders", "payments"]);
    expect(new URL(page.url()).searchParams.get("sort")).toBe("events");
    await page.reload();
    await expect.poll(order).toEqual(["basket", "orders", "payments"]);
  });

  it("moves an incident up when it occurs again", async () => {
    const events = Array.from({ length: 4 }, (_, index) => exceptionEvent("fail_payments", index + 2));
    expect(await sendBatch(server.url, bootstrapKey, batchOf(events, { service: "payments" }))).toBe(true);
    await expect.poll(order).toEqual(["payments", "basket", "orders"]);
  });

  it("shows each failure's last day beside its count", async () => {
    await row("basket").getByText("3 events", { exact: true }).waitFor();
    await row("basket")
      .getByRole("img", { name: /^3 failing events in the last day/ })
      .waitFor();
    expect(await barriers()).toEqual([]);
  });

  it("shows the count and the trend on a phone too, inside the row", async () => {
    await page.setViewportSize({ width: 360, height: 900 });
    for (const service of ["basket", "orders", "payments"]) {
      const trend = row(service).getByRole("img", { name: /failing events? in the last day/ });
      for (const shown of [row(service).getByText(/^\d events?$/), trend]) {
        await shown.waitFor();
        expect(await bottomOf(shown)).toBeLessThanOrEqual(await bottomOf(row(service)));
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("resolves two incidents that were selected by keyboard, with an entry in the audit log for each", async () => {
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByText("1 selected", { exact: true }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByText("2 selected", { exact: true }).waitFor();
    expect(await barriers()).toEqual([]);
    await page.keyboard.press("e");
    await page.getByText("2 incidents resolved", { exact: true }).waitFor();
    for (const service of ["payments", "basket"]) await row(service).getByText("Resolved", { exact: true }).waitFor();
    await page.getByRole("region", { name: "Selected incidents" }).waitFor({ state: "detached" });
    const audit = await (await page.request.get(`${server.url}/api/audit?limit=10`)).text();
    expect(audit.match(/"incident.resolved"/g)).toHaveLength(2);
  });

  it("says which of the selected it can't change, and takes and mutes those that it can", async () => {
    await page.getByLabel("Select the first 3").check();
    await page.getByText("3 selected", { exact: true }).waitFor();
    await page.keyboard.press("m");
    await page.getByRole("menuitem", { name: "For a day" }).click();
    await page.getByText("1 incident muted, 2 refused", { exact: true }).waitFor();
    await row("orders")
      .getByText(/^Muted/)
      .waitFor();
    await page
      .getByLabel(/^Select TypeError/)
      .first()
      .check();
    await page.getByRole("button", { name: "Take", exact: true }).click();
    await page.getByText("1 incident taken", { exact: true }).waitFor();
    await page
      .getByLabel(/^Select TypeError/)
      .first()
      .check();
    await page.keyboard.press("Escape");
    await page.getByRole("region", { name: "Selected incidents" }).waitFor({ state: "detached" });
  });

  it("selects nothing once another filter is set, nor when it is cleared again", async () => {
    const bar = page.getByRole("region", { name: "Selected incidents" });
    await page.getByLabel("Select the first 3").check();
    await bar.waitFor();
    await page.getByLabel("Service", { exact: true }).selectOption("orders");
    await expect.poll(order).toEqual(["orders"]);
    await bar.waitFor({ state: "detached" });
    await page.getByLabel("Service", { exact: true }).selectOption("");
    await row("payments").waitFor();
    expect(
      await page
        .getByLabel(/^Select TypeError/)
        .first()
        .isChecked(),
    ).toBe(false);
    expect(await bar.count()).toBe(0);
  });

  it("merges selected incidents into one that is chosen, and undoes it from the notice", async () => {
    await page.getByLabel("Select the first 3").check();
    await page.getByRole("button", { name: "Merge into…" }).waitFor();
    expect(await barriers()).toEqual([]);
    await page.getByRole("button", { name: "Merge into…" }).click();
    await page.getByRole("menuitem", { name: /^orders: / }).click();
    // It stays while it is pointed at.
    await page.getByText("3 incidents merged into one", { exact: true }).hover();
    await expect.poll(order).toEqual(["orders"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Merge undone", { exact: true }).waitFor();
    await expect.poll(async () => (await order()).toSorted()).toEqual(["basket", "orders", "payments"]);
  });

  it("gives a merged failure its incident back on the page of the one that has it", async () => {
    await page.getByLabel("Select the first 3").check();
    await page.getByRole("button", { name: "Merge into…" }).click();
    await page.getByRole("menuitem", { name: /^orders: / }).click();
    await expect.poll(order).toEqual(["orders"]);
    await row("orders").getByRole("link").click();
    await page.getByText("2 failures", { exact: true }).waitFor();
    expect(await barriers()).toEqual([]);
    await page.getByRole("link", { name: "Its report" }).first().click();
    await page.getByText("This failure is part of").waitFor();
    expect(await barriers()).toEqual([]);
    await page.getByRole("button", { name: "Split off again" }).click();
    await page.getByText("This failure is part of").waitFor({ state: "detached" });
    await page.getByText("Activity", { exact: true }).click();
    await page
      .getByText(/Ada made it an incident of its own again/)
      .first()
      .waitFor();
    await page.getByRole("link", { name: "Open that incident" }).first().click();
    await page.getByText("1 failure", { exact: true }).waitFor();
    await page.getByRole("button", { name: /^Split off/ }).click();
    await page.getByText("It has its own incident", { exact: true }).waitFor();
    await page.getByText("1 failure", { exact: true }).waitFor({ state: "detached" });
    await page.goto(`${server.url}/incidents`);
    await expect.poll(async () => (await order()).toSorted()).toEqual(["basket", "orders", "payments"]);
  });

  it("is saved as a view under a name, shared, and applied again", async () => {
    await page.goto(`${server.url}/incidents`);
    await row("orders").waitFor();
    await page.keyboard.press("v");
    await page.getByText("Set filters, a search, or an order").waitFor();
    await page.keyboard.press("Escape");
    await page.getByLabel("Service", { exact: true }).selectOption("orders");
    await expect.poll(order).toEqual(["orders"]);
    await page.getByRole("button", { name: "Views", exact: true }).click();
    await page.getByRole("button", { name: "Save view" }).click();
    await page.getByText("This field is required").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Orders");
    await page.getByLabel("Share with every member of the organization").check();
    expect(await barriers()).toEqual([]);
    await page.getByRole("button", { name: "Save view" }).click();
    await page.getByText("Orders saved", { exact: true }).waitFor();
    const view = page.getByLabel("View", { exact: true });
    await expect.poll(() => view.locator("option:checked").textContent()).toBe("Orders");
    await view.selectOption({ label: "No view" });
    await expect.poll(order).toHaveLength(3);
    await page.reload();
    await view.selectOption({ label: "Orders" });
    await expect.poll(order).toEqual(["orders"]);
    expect(new URL(page.url()).searchParams.get("service")).toBe("orders");
  });

  it("has a view no more once it is deleted", async () => {
    await page.getByRole("button", { name: "Views", exact: true }).click();
    await page.getByRole("button", { name: "Stop sharing Orders" }).click();
    await page.getByText("only you", { exact: true }).waitFor();
    expect(await barriers()).toEqual([]);
    await page.getByRole("button", { name: "Delete Orders" }).click();
    await page.getByText("You have saved no views.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByLabel("View", { exact: true }).waitFor({ state: "detached" });
  });

  it("sees nothing wrong in the console", () => {
    expect(ada.noticed.filter((line) => !isRefusal(line))).toEqual([]);
  });
});

describe("an address without a page", () => {
  it("says so on a page without accessibility problems, which leads back", async () => {
    await page.goto(`${server.url}/nowhere`);
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.getByRole("link", { name: "Back to incidents" }).click();
    await page.getByRole("heading", { name: "Incidents", exact: true }).waitFor();
  });
});
