import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ServerProcess } from "../servers/server-process.ts";
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
  opened = await openService();
  ({ server, window: ada, page } = opened);
  await becomeOwner(page, server);
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Ownership" }).click();
  await page.getByRole("heading", { name: "Ownership", level: 1 }).waitFor();
});
afterAll(() => opened?.end());

/** Checks the page at every size, and continues at the widest. */
async function barriers(): Promise<string[]> {
  const found = await problemsEverywhere(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  return found;
}

async function addRule(match: "path" | "service", pattern: string): Promise<void> {
  await page.getByRole("button", { name: "Add rule" }).click();
  await page.getByLabel("Matches by").selectOption(match);
  await page.getByLabel(match === "path" ? "Path" : "Service", { exact: true }).fill(pattern);
  await page.getByRole("button", { name: "Add this rule" }).click();
  await page.getByRole("button", { name: "Add rule" }).waitFor();
}

/** Waits until the page has these rules, in this order, and no others. */
async function rules(...titles: readonly string[]): Promise<void> {
  const wanted = titles.map((title, at) => `${at + 1}. ${title}`);
  for (const title of wanted) await page.getByRole("listitem").filter({ hasText: title }).waitFor();
  expect(await page.getByRole("button", { name: /^Delete rule/ }).count()).toBe(wanted.length);
}

describe("an owner on the page of ownership rules", () => {
  it("adds a rule by the file of the cause, and sees what is wrong with an empty one", async () => {
    await page.getByText("No rules yet").waitFor();
    await page.getByRole("button", { name: "Add rule" }).click();
    await page.getByRole("button", { name: "Add this rule" }).click();
    await page.getByText("This field is required").waitFor();
    expect(await barriers()).toEqual([]);
    await page.getByLabel("Path", { exact: true }).fill("services/cart/**");
    await page.getByLabel("Owner", { exact: true }).selectOption({ label: "Ada (ada@example.com)" });
    await page.getByRole("button", { name: "Add this rule" }).click();
    await rules("file services/cart/**");
    await page.getByText("owned by Ada").waitFor();
  });

  it("adds rules by service, and sees which one never decides", async () => {
    await addRule("service", "cart");
    await addRule("service", "payments");
    await addRule("service", "cart");
    await page.getByText("never decides: rule 2 matches the same").waitFor();
    await rules("file services/cart/**", "service cart", "service payments", "service cart");
    expect(await barriers()).toEqual([]);
  });

  it("moves a rule up twice with the keyboard, and keeps that order", async () => {
    await page.getByRole("button", { name: "Move rule 3 up" }).focus();
    await page.keyboard.press("Enter");
    await rules("file services/cart/**", "service payments", "service cart", "service cart");
    await page.locator(`button:focus[aria-label="Move rule 2 up"]`).waitFor();
    await page.keyboard.press("Enter");
    await page.locator(`button:focus[aria-label="Move rule 1 up"]`).waitFor();
    await page.reload();
    await rules("service payments", "file services/cart/**", "service cart", "service cart");
  });

  it("deletes one after confirming", async () => {
    await page.getByRole("button", { name: "Delete rule 4" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete rule 4" }).waitFor({ state: "detached" });
    await rules("service payments", "file services/cart/**", "service cart");
  });

  it("sees nothing wrong in the console", () => {
    expect(ada.noticed.filter((line) => !isRefusal(line))).toEqual([]);
  });
});
