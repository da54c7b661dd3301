import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { ServerProcess } from "../servers/server-process.ts";
import {
  isRefusal,
  type OpenedService,
  openService,
  openWindow,
  owner,
  problemsEverywhere,
  type WatchedPage,
} from "./web-page.ts";

const colleague = { name: "Grace", email: "grace@example.com", password: "another good long one" };

let opened: OpenedService;
let server: ServerProcess;
let browser: Browser;
let ada: WatchedPage;
let grace: WatchedPage;
let page: Page;

beforeAll(async () => {
  opened = await openService({ WHENCE_SIGN_IN_PER_MINUTE: "1000" });
  ({ server, browser, window: ada, page } = opened);
  grace = await openWindow(browser, server.url);
  await page.goto(`${/set-up\s+(\S+)/.exec(server.output())?.[1] ?? ""}&next=/settings`);
  await page.getByLabel("Name").fill(owner.name);
  await page.getByLabel("Email").fill(owner.email);
  await page.getByLabel("Password").fill(owner.password);
  await page.getByRole("button", { name: "Create owner account" }).click();
  await page.getByRole("heading", { name: "API keys" }).waitFor();
});
afterAll(() => opened?.end());

async function openPage(name: string, from: Page = page): Promise<void> {
  await from.getByRole("navigation", { name: "Settings" }).getByRole("link", { name }).click();
  await from.getByRole("heading", { name, level: 1 }).waitFor();
}

/** Checks the page at every size, and continues at the widest. */
async function barriers(on: Page = page): Promise<string[]> {
  const found = await problemsEverywhere(on);
  await on.setViewportSize({ width: 1440, height: 900 });
  return found;
}

async function statusWithKey(key: string): Promise<number> {
  return (await fetch(`${server.url}/api/incidents`, { headers: { "x-api-key": key } })).status;
}

async function registerAgent(): Promise<{ claim_token: string; api_key: string }> {
  const answer = await fetch(`${server.url}/api/agents/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ source: "browser test" }),
  });
  return z.object({ claim_token: z.string(), api_key: z.string() }).parse(await answer.json());
}

describe("an owner in the settings", () => {
  // requirement: auth.organization-page-keys
  it("creates a key that is shown once and works, and revokes it", async () => {
    await page.getByLabel("Name of the new key").fill("checkout");
    expect(await page.getByLabel("Scope").inputValue()).toBe("send");
    await page.getByLabel("Scope").selectOption("read");
    await page.getByRole("button", { name: "Create key" }).click();
    const key = await page.getByLabel("New key", { exact: true }).inputValue();
    expect(await statusWithKey(key)).toBe(200);
    expect(await barriers()).toEqual([]);
    await page.getByRole("button", { name: "Done" }).click();
    await page.reload();
    await page.getByText("checkout").waitFor();
    await page.getByText("Read", { exact: true }).waitFor();
    expect(await page.content()).not.toContain(key);
    await page.getByRole("button", { name: "Revoke checkout" }).click();
    await page.getByRole("heading", { name: "Revoke the key checkout?" }).waitFor();
    expect(await barriers()).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("Key revoked").waitFor();
    expect(await statusWithKey(key)).toBe(401);
  });

  it("creates a DSN for Sentry's clients, whose key is replaced by rotating it", async () => {
    await page.getByLabel("Name of the new key").fill("checkout in Sentry");
    await page.getByLabel("Scope").selectOption("sentry");
    await page.getByLabel("Service").fill("checkout");
    await page.getByLabel("Pages that may send").fill("https://shop.example https://*.shop.example");
    expect(await barriers()).toEqual([]);
    await page.getByRole("button", { name: "Create key" }).click();
    const dsn = page.getByLabel("New DSN", { exact: true });
    const made = new URL(await dsn.inputValue());
    expect([made.origin, made.pathname]).toEqual([new URL(page.url()).origin, expect.stringMatching(/^\/\d+$/)]);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByText("for checkout in PROD").waitFor();
    await page.getByText("from https://shop.example, https://*.shop.example").waitFor();
    await page.getByRole("button", { name: "Rotate checkout in Sentry" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
    const rotated = new URL(await dsn.inputValue());
    expect([rotated.pathname, rotated.username === made.username]).toEqual([made.pathname, false]);
    await page.getByRole("button", { name: "Done" }).click();
  });

  it("claims an agent by its token, and revokes it", async () => {
    const agent = await registerAgent();
    await openPage("Agents");
    await page.getByLabel("Claim token").fill(agent.claim_token);
    await page.getByRole("button", { name: "Claim agent" }).click();
    await page.getByText("does not expire").first().waitFor();
    expect(await barriers()).toEqual([]);
    await page.getByRole("button", { name: "Revoke browser test" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("revoked", { exact: true }).waitFor();
    expect(await statusWithKey(agent.api_key)).toBe(401);
  });

  it("sets the retention of events, and when a failure is an incident", async () => {
    await openPage("Retention and quota");
    await page.getByLabel("Days to keep telemetry and inputs").fill("4000");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Input should be less than or equal to 3650.").waitFor();
    await page.getByLabel("Days to keep telemetry and inputs").fill("14");
    await page.getByLabel("Events per day").fill("1000000");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("of 1,000,000 events accepted").waitFor();
    await page.getByText("of 1,074 MB used").waitFor();
    await page.getByRole("button", { name: "Delete all data" }).click();
    await page.getByText("This can't be undone.").waitFor();
    expect(await barriers()).toEqual([]);
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(await barriers()).toEqual([]);
    await openPage("Incident thresholds");
    await page.getByLabel("Muted services").fill("batch\n\nnightly");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved").first().waitFor();
    await page.reload();
    expect(await page.getByLabel("Muted services").inputValue()).toBe("batch\nnightly");
    expect(await barriers()).toEqual([]);
  });

  it("creates a notification rule, tests it, and sees the delivery of each message", async () => {
    await openPage("Notifications");
    await page.getByText("No mail server is configured").waitFor();
    await page.getByRole("button", { name: "Add rule" }).click();
    await page.getByLabel("Rule name").fill("On call");
    await page.getByRole("button", { name: "Create rule" }).click();
    await page.getByText("A rule needs at least one recipient").waitFor();
    expect(await page.evaluate("document.activeElement.name")).toBe("emails");
    expect(await barriers()).toEqual([]);
    await page.getByRole("button", { name: "Add Ada" }).click();
    await page.getByLabel("Webhook", { exact: true }).check();
    await page.getByRole("button", { name: "Create rule" }).click();
    await page.getByText("This field is required").waitFor();
    await page.getByLabel("Webhook URL", { exact: true }).fill("https://127.0.0.1:9/T0/secret-path");
    await page.getByRole("button", { name: "Create rule" }).click();
    const webhookSecret = await page.getByLabel("Webhook secret", { exact: true }).inputValue();
    expect(webhookSecret).toMatch(/^whsec_/);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "Send test with On call" }).click();
    await page.getByText("has no public address").waitFor();
    await page.getByText("the mail was written to the service's log").waitFor();
    await page.getByText("not delivered").waitFor();
    expect(server.output()).toContain("Test of the notification rule");
    expect(await page.content()).not.toContain(webhookSecret);
    expect(await barriers()).toEqual([]);
    await page.getByRole("button", { name: "Edit On call" }).click();
    await page.getByLabel("A failure returned").check();
    await page.getByLabel("Services").fill("checkout\ncart");
    await page.getByRole("button", { name: "Save rule" }).click();
    await page.getByText("a failure returned").waitFor();
    await page.getByText("from checkout, cart").waitFor();
    await page.getByRole("button", { name: "Turn off On call" }).click();
    await page.getByText("off", { exact: true }).waitFor();
  });

  it("creates a rule for Microsoft Teams with quiet hours, whose webhook is never shown again, and tests it", async () => {
    await page.getByRole("button", { name: "Add rule" }).click();
    await page.getByLabel("Rule name").fill("Nights");
    await page.getByLabel("Minimum confidence").fill("80");
    for (const vendor of ["Slack", "Microsoft Teams", "PagerDuty", "Opsgenie or Jira Service Management"]) {
      await page.getByLabel(vendor, { exact: true }).check();
    }
    await page.getByLabel("Hold messages back").check();
    await page.getByLabel("Time zone").fill("Mars/Olympus");
    expect(await barriers()).toEqual([]);
    await page.getByRole("button", { name: "Create rule" }).click();
    await page.getByText("It must be an IANA time zone").waitFor();
    await page.getByLabel("Time zone").fill("Europe/Berlin");
    for (const vendor of ["Slack", "PagerDuty", "Opsgenie or Jira Service Management"]) {
      await page.getByLabel(vendor, { exact: true }).uncheck();
    }
    await page.getByRole("button", { name: "Create rule" }).click();
    await page.getByText("The channel needs it, and none is stored").waitFor();
    await page.getByLabel("Microsoft Teams webhook URL").fill("https://127.0.0.1:9/workflows/1?sig=secret-signature");
    await page.getByRole("button", { name: "Create rule" }).click();
    await page.getByText("to Microsoft Teams").waitFor();
    await page.getByText("80% confidence or more").waitFor();
    await page.getByText("quiet 22:00–07:00 (Europe/Berlin)").waitFor();
    await page.getByRole("button", { name: "Send test with Nights" }).click();
    await page.getByText("127.0.0.1 has no public address").first().waitFor();
    await page.getByRole("button", { name: "Edit Nights" }).click();
    expect(await page.getByLabel("Microsoft Teams webhook URL").inputValue()).toBe("");
    await page.getByRole("button", { name: "Save rule" }).click();
    await page.getByText("Rule saved").waitFor();
    expect(await page.content()).not.toContain("secret-signature");
    expect(server.output()).not.toContain("secret-signature");
    expect(await barriers()).toEqual([]);
    await page.getByRole("button", { name: "Delete Nights" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete Nights" }).waitFor({ state: "detached" });
  });

  it("invites someone, who joins with the link that is shown", async () => {
    await openPage("Members");
    await page.getByLabel("Email of the person to invite").fill(colleague.email);
    await page.getByRole("button", { name: "Send invitation" }).click();
    const link = await page.getByLabel("Invitation link", { exact: true }).inputValue();
    expect(await barriers()).toEqual([]);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: `Cancel invitation to ${colleague.email}` }).waitFor();
    await grace.page.goto(link);
    await grace.page.getByLabel("Name").fill(colleague.name);
    await grace.page.getByLabel("Email").fill(colleague.email);
    await grace.page.getByLabel("Password").fill(colleague.password);
    await grace.page.getByRole("button", { name: "Create account" }).click();
    await grace.page.getByRole("link", { name: "Settings" }).click();
    await grace.page.getByRole("heading", { name: "API keys" }).waitFor();
    await page.reload();
    await page.getByText(colleague.email).waitFor();
    await page.getByText("you", { exact: true }).waitFor();
    expect(await barriers()).toEqual([]);
  });

  it("finds all of it in the audit log", async () => {
    await openPage("Audit log");
    for (const entry of [
      /Ada created the key checkout/,
      /Ada revoked the agent agt_/,
      /Ada changed the incident thresholds: 1 events within 5 minutes, 2 muted/,
      /Ada created the notification rule On call, to ada@example.com, 127.0.0.1:9/,
      /Ada changed the notification rule On call \(off\)/,
      /Ada invited grace@example.com/,
      /Grace joined/,
    ]) {
      await page.getByText(entry).first().waitFor();
    }
    expect(await page.content()).not.toContain("secret-path");
    expect(await barriers()).toEqual([]);
  });
});

describe("a member in the settings", () => {
  it("sees keys, thresholds, and members without controls to change them, and no audit log", async () => {
    const other = grace.page;
    for (const [name, action] of [
      ["API keys", /Create key|Revoke/],
      ["Incident thresholds", "Save"],
      ["Ownership", /Add|Move|Delete/],
      ["Retention and quota", /Save|Delete/],
      ["Notifications", /Add|Send|Turn|Edit|Replace|Delete/],
      ["Members", /Send invitation|Remove|Make/],
    ] as const) {
      await openPage(name, other);
      await other.getByText("As a member, you can only view").waitFor();
      expect([name, await other.getByRole("button", { name: action }).count()]).toEqual([name, 0]);
    }
    await openPage("Audit log", other);
    await other.getByText("Only owners can read").waitFor();
    expect(await barriers(other)).toEqual([]);
  });
});

describe("a notification rule", () => {
  it("is visible to a member, without the path of its webhook", async () => {
    const other = grace.page;
    await openPage("Notifications", other);
    await other.getByRole("button", { name: "Messages of On call" }).click();
    await other.getByText("has no public address").waitFor();
    await other.getByText("the webhook at 127.0.0.1:9").waitFor();
    expect(await other.content()).not.toContain("secret-path");
    expect(await barriers(other)).toEqual([]);
  });

  it("is deleted after confirming", async () => {
    await openPage("Notifications");
    await page.getByRole("button", { name: "Delete On call" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No rules yet").waitFor();
  });
});

describe("a person in the settings", () => {
  it("creates an organization and switches back, each with its own settings", async () => {
    await openPage("Your account");
    await page.getByRole("button", { name: "Create another organization" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Elsewhere");
    await page.getByRole("button", { name: "Create organization" }).click();
    await page.getByRole("button", { name: "Switch to default" }).waitFor();
    await openPage("API keys");
    await page.getByText("No keys yet").waitFor();
    await openPage("Your account");
    await page.getByRole("button", { name: "Switch to default" }).click();
    await page.getByRole("button", { name: "Switch to Elsewhere" }).waitFor();
  });

  it("sees where they are signed in, and ends another session", async () => {
    const elsewhere = await openWindow(browser, server.url);
    await elsewhere.page.goto(`${server.url}/login?next=/settings/account`);
    await elsewhere.page.getByLabel("Email").fill(owner.email);
    await elsewhere.page.getByLabel("Password").fill(owner.password);
    await elsewhere.page.getByRole("button", { name: "Sign in" }).click();
    await elsewhere.page.getByRole("heading", { name: "Your account" }).waitFor();
    await page.reload();
    await page.getByText("this browser").waitFor();
    expect(await barriers()).toEqual([]);
    await page.getByRole("button", { name: /^Sign out Chrome/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await elsewhere.page.reload();
    await elsewhere.page.getByRole("heading", { name: "Sign in" }).waitFor();
    await elsewhere.page.close();
  });

  it("opens a settings page from the command palette", async () => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or go to" }).fill("audit");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Audit log" }).waitFor();
  });

  it("gets no console errors other than expected rejections", () => {
    expect([...ada.noticed, ...grace.noticed].filter((line) => !isRefusal(line))).toEqual([]);
  });
});
