import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { bootstrapKey, type ServerProcess } from "../servers/server-process.ts";
import { batchOf, exceptionEvent } from "./telemetry-batch.ts";
import {
  becomeOwner,
  type OpenedService,
  openService,
  openWindow,
  problemsEverywhere,
  type WatchedPage,
} from "./web-page.ts";

let opened: OpenedService;
let server: ServerProcess;
let browser: Browser;
let ada: WatchedPage;
let page: Page;

beforeAll(async () => {
  opened = await openService({ WHENCE_SIGNUP: "open" });
  ({ server, browser, window: ada, page } = opened);
  await becomeOwner(page, server);
});
afterAll(() => opened?.end());

/** The same failure, one more time. */
async function fail(seq: number): Promise<void> {
  const headers = { "content-type": "application/json", "x-api-key": bootstrapKey };
  const body = JSON.stringify(batchOf([exceptionEvent("renderTotal", seq)]));
  const answer = await fetch(`${server.url}/api/telemetry/events`, { method: "POST", headers, body });
  expect(answer.ok).toBe(true);
}

/** In the log, as no server for mails is set. */
const verificationLink = /http:[^\s"\\]+\/verify-email\?token=[\w.-]+/;

/** A window of a person whom Ada invites, and who joins. */
async function joinedBy(person: { name: string; email: string; password: string }): Promise<WatchedPage> {
  const invited = await page.request.post(`${server.url}/api/auth/organization/invite-member`, {
    data: { email: person.email, role: "member" },
    headers: { origin: server.url },
  });
  const { id } = z.object({ id: z.string() }).parse(await invited.json());
  const joined = await openWindow(browser, server.url);
  await joined.page.goto(`${server.url}/sign-up?invitation=${id}`);
  await joined.page.getByLabel("Name").fill(person.name);
  await joined.page.getByLabel("Email").fill(person.email);
  await joined.page.getByLabel("Password").fill(person.password);
  await joined.page.getByRole("button", { name: "Create account" }).click();
  await joined.page.getByRole("link", { name: "Settings" }).waitFor();
  return joined;
}

describe("an incident that people work with", () => {
  it("is resolved with a key, and says who did it", async () => {
    await page.getByRole("link", { name: "Incidents" }).click();
    await fail(1);
    await page.getByRole("link", { name: /reading 'total'/ }).click();
    await page.getByRole("heading", { name: "Root cause" }).waitFor();
    await page.keyboard.press("e");
    await page.getByText("Resolved", { exact: true }).waitFor();
    await page.getByText("Activity", { exact: true }).click();
    await page.getByText(/Ada resolved it/).waitFor();
    expect(await page.getByRole("button", { name: "Resolve" }).count()).toBe(0);
  });

  it("is a regression when its failure comes back, in the same incident", async () => {
    await fail(2);
    await page.getByText("Regressed", { exact: true }).waitFor();
    await page.getByText(/The failure came back.*: regressed/).waitFor();
    await page.getByText(/The cause is the same as before|The report names another cause/).waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.keyboard.press("u");
    await page.getByText("Regressed", { exact: true }).waitFor();
    expect(await page.getByRole("link", { name: /reading 'total'/ }).count()).toBe(1);
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("is muted from the menu by keyboard, and reopened", async () => {
    await page.getByRole("link", { name: /reading 'total'/ }).click();
    await page.getByRole("heading", { name: "Root cause" }).waitFor();
    await page.keyboard.press("m");
    await page.getByRole("menuitem", { name: "Until 100 more events" }).waitFor();
    await page.getByRole("menuitem", { name: "Until 100 more events" }).click();
    await page.getByText("Muted until 100 more events", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Reopen" }).click();
    await page.getByText("Activity", { exact: true }).click();
    await page.getByText(/Ada reopened it/).waitFor();
    expect(ada.noticed).toEqual([]);
  });

  it("is taken and commented on by keyboard, and handed over to a member who is mentioned", async () => {
    const grace = await joinedBy({ name: "Grace", email: "grace@example.com", password: "correct horse battery" });
    // Mentions are mailed to verified addresses only.
    await expect.poll(() => server.output()).toMatch(verificationLink);
    await grace.page.goto(verificationLink.exec(server.output())?.[0] ?? "");
    await grace.page.getByText("Your email address is verified.").waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Root cause" }).waitFor();
    await page.getByText("No owner", { exact: true }).waitFor();
    await page.keyboard.press("t");
    await page.getByText("Owner: Ada", { exact: true }).waitFor();
    await page.keyboard.press("c");
    const box = page.getByRole("textbox", { name: "Comment" });
    await box.fill("<b>Rolled back.</b> Can you check, @gr");
    await page.getByRole("button", { name: "@Grace" }).click();
    await box.pressSequentially("?");
    await box.press("Control+Enter");
    await page.getByText("<b>Rolled back.</b> Can you check, @Grace ?", { exact: true }).waitFor();
    await page.getByText(/Ada took it/).waitFor();
    await page.keyboard.press("h");
    await page.getByRole("menuitem", { name: "Grace" }).click();
    await page.getByText("Owner: Grace, not acknowledged", { exact: true }).waitFor();
    await page.getByText(/Ada handed it over to Grace/).waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await grace.page.goto(`${server.url}/incidents?owner=me`);
    await grace.page.getByRole("link", { name: /reading 'total'.*Grace/ }).click();
    await grace.page.getByRole("heading", { name: "Root cause" }).waitFor();
    await grace.page.getByRole("button", { name: "Acknowledge" }).click();
    await grace.page.getByText("Owner: Grace", { exact: true }).waitFor();
    await expect.poll(() => server.output()).toContain("Ada mentioned you");
    expect([...ada.noticed, ...grace.noticed]).toEqual([]);
  });

  it("shows its earlier activity on request", async () => {
    const { pathname } = new URL(page.url());
    for (let count = 1; count <= 50; count += 1) {
      const data = { text: `Note ${count}` };
      const headers = { origin: server.url };
      expect((await page.request.post(`${server.url}/api${pathname}/comments`, { data, headers })).ok()).toBe(true);
    }
    await page.reload();
    await page.getByText("Activity", { exact: true }).click();
    await page.getByText("Note 50", { exact: true }).waitFor();
    expect(await page.getByText(/Ada resolved it/).count()).toBe(0);
    await page.getByRole("button", { name: "Show earlier activity" }).click();
    await page.getByText(/Ada resolved it/).waitFor();
    await page.getByRole("button", { name: "Show earlier activity" }).waitFor({ state: "detached" });
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("is found by its state in the search, which says what it can't be", async () => {
    await page.keyboard.press("u");
    const search = page.getByRole("searchbox", { name: "Search incidents" });
    await search.fill("is:open reading total");
    await page.getByRole("link", { name: /reading 'total'/ }).waitFor();
    await search.fill("-is:open reading total");
    await page.getByText("No matching incidents").waitFor();
    await search.fill("is:closed");
    await page.getByText("`is:` can be open, muted, ignored, resolved").first().waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
  });
});
