import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { bootstrapKey, eventually, type ServerProcess } from "../servers/server-process.ts";
import { batchOf, exceptionEvent } from "./telemetry-batch.ts";
import {
  becomeOwner,
  isRefusal,
  type OpenedService,
  openService,
  openWindow,
  pressTogether,
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
  await page.getByRole("link", { name: "Incidents" }).click();
});
afterAll(() => opened?.end());

async function post(path: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json", "x-api-key": bootstrapKey };
  const answer = await fetch(server.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  expect(answer.ok).toBe(true);
}

/** Sets the limit as the thresholds page does. */
async function allowIncidentsAnHour(allowed: number): Promise<void> {
  const changed = `fetch("/api/thresholds").then((answer) => answer.json()).then((now) => fetch("/api/thresholds", {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...now, incidents_per_hour: ${allowed} }),
  })).then(({ status }) => status)`;
  expect(await page.evaluate(changed)).toBe(200);
}

const failureList = z.object({ failures: z.array(z.unknown()) });

/** Resolves once `count` failures were skipped. */
async function untilLeftAlone(count: number): Promise<void> {
  await eventually(`${count} failures left alone`, async () => {
    const answer = await fetch(`${server.url}/api/failures?outcome=skipped`, {
      headers: { "x-api-key": bootstrapKey },
    });
    return failureList.parse(await answer.json()).failures.length === count ? true : undefined;
  });
}

/** Resolves once the incident of a page has its report. */
async function untilInvestigated(path: string): Promise<void> {
  await eventually("the report", async () => {
    const answer = await fetch(`${server.url}/api${path}`, { headers: { "x-api-key": bootstrapKey } });
    return z.object({ status: z.string() }).parse(await answer.json()).status === "completed" ? true : undefined;
  });
}

const errorLog = "Error: connect ECONNREFUSED 10.0.0.7:5432\n    at connect (/app/src/database.js:4:9)";

/** The ID of the piece of evidence that has the focus. */
const focusedPiece = () => page.evaluate("document.activeElement.closest('details')?.id");

describe("the incidents", () => {
  it("appear live: the first event opens one, which gets its report without reloading the page", async () => {
    await page.getByText("No incidents yet").waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    const headers = { authorization: "Bearer never-shown" };
    const failed = { ...exceptionEvent("renderTotal", 1), request: { method: "GET", path: "/cart", headers } };
    await post("/api/telemetry/events", batchOf([failed]));
    await page.getByRole("link", { name: /reading 'total'/ }).click();
    await page.getByRole("heading", { name: "Root cause" }).waitFor();
    expect(await page.title()).toContain("reading 'total'");
  });

  it("show the marked line in the source, and open each piece of evidence where it is cited", async () => {
    expect(await page.locator("mark").first().textContent()).toContain("cart.order.total");
    const citation = page.getByRole("link", { name: "e2", exact: true }).first();
    await citation.click();
    const evidence = page.locator("details#e2");
    await evidence.getByText("SHA-256").waitFor();
    expect(await evidence.getByRole("region", { name: "Excerpt of e2" }).textContent()).not.toBe("");
    expect(page.url()).toMatch(/#e2$/);
    expect(await focusedPiece()).toBe("e2");
    await page.getByRole("heading", { name: "Evidence" }).click();
    await evidence.waitFor({ state: "detached" });
    await citation.click();
    await evidence.getByText("SHA-256").waitFor();
    await page.goBack();
    expect(page.url()).not.toContain("#");
  });

  it("go from piece to piece of the evidence by key, also where it is folded", async () => {
    const pieces = page.locator("details[id]");
    const ids = "[...document.querySelectorAll('details[id]')].map(({ id }) => id)";
    await pieces.first().waitFor();
    const [first = "", second = ""] = z.array(z.string()).parse(await page.evaluate(ids));
    await page.getByRole("heading", { name: "Evidence" }).click();
    await pieces.first().waitFor({ state: "detached" });
    for (const [key, piece] of [
      ["j", first],
      ["k", first],
      ["j", second],
      ["k", first],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(focusedPiece).toBe(piece);
    }
  });

  it("number the source lines, and say why a candidate won and what the event lacked", async () => {
    const code = page.getByRole("region", { name: "Code at the root cause" });
    expect(await code.locator("[data-number]").first().getAttribute("data-number")).toBe("11");
    await page.getByText("Other causes").click();
    await page.getByText("For", { exact: true }).first().waitFor();
    const notes = page.getByLabel("About the failing event");
    expect(await notes.textContent()).toContain("Redacted on receipt");
    expect(await notes.locator("code").textContent()).toBe("request.headers.authorization");
    expect(await page.content()).not.toContain("never-shown");
  });

  it("have no accessibility problem at any size, light or dark, with everything open", async () => {
    await page.getByRole("button", { name: /Open all/ }).click();
    // They stay open if the page saw them run, which depends on timing.
    const steps = page.getByText("Read the error");
    if (!(await steps.isVisible())) await page.getByText("Investigation steps").click();
    await steps.waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("are investigated again on request, and show that while it runs", async () => {
    const asked = page.waitForResponse((answer) => answer.request().method() === "POST");
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Run again" }).click();
    expect((await asked).ok()).toBe(true);
    // Doesn't check the button, since it is clicked before the page has seen the answer.
    await untilInvestigated(new URL(page.url()).pathname);
    await page.getByRole("button", { name: "More" }).click();
    await expect.poll(() => page.getByRole("menuitem", { name: "Run again" }).isEnabled()).toBe(true);
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "Root cause" }).waitFor();
  });

  it("accept and keep feedback with its reason", async () => {
    await page.getByRole("button", { name: "No", exact: true }).click();
    await page.getByLabel("What was the actual cause?").fill("The order came without its items.");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Thank you").first().waitFor();
    await page.getByRole("paragraph").filter({ hasText: "The order came without its items." }).waitFor();
    await page.reload();
    await page.getByText("The order came without its items.").waitFor();
    await page.getByRole("button", { name: "No", exact: true }).click();
    const reason = page.getByLabel("What was the actual cause?");
    expect(await reason.inputValue()).toBe("The order came without its items.");
    await page.reload();
    await page.getByText("The order came without its items.").waitFor();
  });

  it("are filtered by the address, and by text", async () => {
    await post("/api/mcp/analyze", { error_log: errorLog });
    await page.keyboard.press("u");
    await page.getByRole("link", { name: /ECONNREFUSED/ }).waitFor();
    await page.getByLabel("Trigger").selectOption("event");
    await page.getByRole("link", { name: /ECONNREFUSED/ }).waitFor({ state: "detached" });
    expect(page.url()).toBe(`${server.url}/incidents?trigger=event`);
    await page.reload();
    await page.getByRole("link", { name: /reading 'total'/ }).waitFor();
    expect(await page.getByLabel("Trigger").inputValue()).toBe("event");
    await page.getByRole("button", { name: "Clear" }).click();
    await page.keyboard.press("/");
    await page.keyboard.type("5432");
    await page.getByRole("link", { name: /reading 'total'/ }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: /ECONNREFUSED/ }).waitFor();
    await page.getByRole("button", { name: "Clear" }).click();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("say how often each occurred and whether it still happens, and on a phone how sure its cause is", async () => {
    await page.goto(`${server.url}/incidents`);
    const row = page.getByRole("link", { name: /reading 'total'/ });
    await row.getByText("1 event", { exact: true }).waitFor();
    await row.getByText("Still happening").waitFor();
    await page.getByText("Confidence", { exact: true }).waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 900 });
    await row.getByText(/^\d+%$/).waitFor();
    await page.getByLabel("State", { exact: true }).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("can be navigated and opened with the keyboard, and found from anywhere", async () => {
    await page.getByRole("link", { name: /reading 'total'/ }).waitFor();
    await page.getByRole("heading", { name: "Incidents", exact: true }).click();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toContain("reading 'total'");
    await page.keyboard.press("o");
    await page.getByRole("heading", { name: "Root cause" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or go to" }).fill("econnrefused");
    await page.getByRole("option", { name: /ECONNREFUSED/ }).waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /ECONNREFUSED/ }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await pressTogether(page, "g", "i");
    await page.getByRole("heading", { name: "Incidents", exact: true }).waitFor();
  });

  it("leave nothing in the console, and send requests only to the service", () => {
    expect(ada.noticed).toEqual([]);
  });
});

describe("the failures", () => {
  it("explain their empty state, and link to each incident when all are shown", async () => {
    await page.getByRole("link", { name: "See failures not investigated" }).click();
    await page.getByText("No skipped failures").waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("button", { name: "All" }).click();
    await page.getByText("The failure was never seen before").waitFor();
    expect(page.url()).toBe(`${server.url}/failures?show=all`);
    await page.getByRole("link", { name: /^Incident: .*reading 'total'/ }).click();
    await page.getByRole("heading", { name: "Root cause" }).waitFor();
  });

  it("show what wasn't investigated and why, the latest first, and that the budget was used up", async () => {
    const staging = [exceptionEvent("renderStaging", 1), exceptionEvent("renderStaging", 2)];
    await post("/api/telemetry/events", batchOf(staging, { env: "STAGING", service: "<i>checkout</i>" }));
    await untilLeftAlone(1);
    await allowIncidentsAnHour(1);
    await post("/api/telemetry/events", batchOf([exceptionEvent("renderBeyond", 1)]));
    await untilLeftAlone(2);
    await allowIncidentsAnHour(1_000);
    await page.goto(`${server.url}/failures`);
    await page.getByText("1 failure wasn't investigated in the last hour").waitFor();
    const rows = page.getByRole("list", { name: "Failures" }).getByRole("listitem");
    await rows.nth(1).waitFor();
    expect(await rows.first().textContent()).toMatch(/Hourly limit reached.*limit of 1 incident from telemetry/);
    const second = await rows.nth(1).textContent();
    expect(second).toContain("its environment is STAGING, and only PROD is monitored");
    expect(second).toContain("<i>checkout</i>STAGING2 times");
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("are filtered to one reason by the address", async () => {
    const rows = page.getByRole("list", { name: "Failures" }).getByRole("listitem");
    await page.getByLabel("Reason").selectOption("Environment not monitored");
    await rows.nth(1).waitFor({ state: "detached" });
    await page.reload();
    await rows.getByText("STAGING", { exact: true }).waitFor();
    expect(page.url()).toBe(`${server.url}/failures?rule=env-not-monitored`);
    expect(await rows.count()).toBe(1);
    await pressTogether(page, "g", "i");
    await page.getByRole("heading", { name: "Incidents", exact: true }).waitFor();
    expect(ada.noticed).toEqual([]);
  });
});

describe("the owner of another organization", () => {
  let bob: WatchedPage;
  /** Returns the next answer to the request for incidents. */
  const nextList = () => bob.page.waitForResponse((answer) => answer.url().startsWith(`${server.url}/api/incidents?`));

  it("signs up, and creates the organization first", async () => {
    bob = await openWindow(browser, server.url);
    await bob.page.goto(`${server.url}/sign-up`);
    await bob.page.getByLabel("Name").fill("Bob");
    await bob.page.getByLabel("Email").fill("bob@example.com");
    await bob.page.getByLabel("Password").fill("a password of his own");
    await bob.page.getByRole("button", { name: "Create account" }).click();
    await bob.page.getByRole("heading", { name: "Your organization" }).waitFor();
    expect(await problemsEverywhere(bob.page)).toEqual([]);
    await bob.page.getByLabel("Name").fill("Elsewhere");
    await bob.page.getByRole("button", { name: "Create organization" }).click();
    await bob.page.getByRole("heading", { name: "Add a service" }).waitFor();
  });

  it("has a list that is empty and stays empty while incidents arrive for the first organization", async () => {
    await bob.page.goto(`${server.url}/incidents`);
    await bob.page.getByText("No incidents yet").waitFor();
    await post("/api/telemetry/events", batchOf([exceptionEvent("renderShipping", 1)]));
    await page
      .getByRole("link", { name: /reading 'total'/ })
      .nth(1)
      .waitFor();
    // Requested and answered after it existed.
    await nextList();
    await nextList();
    await bob.page.getByText("No incidents yet").waitFor();
    expect(await bob.page.getByRole("list", { name: "Incidents" }).count()).toBe(0);
  });

  it("finds no incident at its address, and gets no events of its investigation", async () => {
    const address = await page
      .getByRole("link", { name: /reading 'total'/ })
      .first()
      .getAttribute("href");
    await bob.page.goto(server.url + address);
    await bob.page.getByRole("heading", { name: "Incident not found" }).waitFor();
    expect(await bob.page.content()).not.toContain("reading 'total'");
    expect(await problemsEverywhere(bob.page)).toEqual([]);
    await bob.page.setViewportSize({ width: 1440, height: 900 });
    for (const part of ["events", "telemetry"]) {
      const path = `/api${address}/${part}`;
      const text = await bob.page.evaluate(
        `fetch("${path}").then(async (answer) => answer.status + await answer.text())`,
      );
      expect([part, text]).toEqual([part, expect.stringMatching(/^404/)]);
      expect(text).not.toContain("total");
    }
  });

  it("finds nothing by searching: no service and no failure", async () => {
    await bob.page.keyboard.press("Control+k");
    const answered = nextList();
    await bob.page.getByRole("combobox", { name: "Search or go to" }).fill("total");
    await answered;
    await bob.page.getByText("No results").waitFor();
    expect(await bob.page.getByRole("option").count()).toBe(0);
    await bob.page.goto(`${server.url}/incidents?search=total`);
    await bob.page.getByText("No matching incidents").waitFor();
    await bob.page.goto(`${server.url}/services`);
    await bob.page.getByText("No telemetry in the last 24 hours").waitFor();
    await bob.page.goto(`${server.url}/failures?show=all`);
    await bob.page.getByText("No failures yet").waitFor();
    expect(bob.noticed.filter((line) => !isRefusal(line))).toEqual([]);
  });
});
