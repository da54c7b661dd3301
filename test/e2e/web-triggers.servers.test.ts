import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ServerProcess } from "../servers/server-process.ts";
import {
  becomeOwner,
  isRefusal,
  type OpenedService,
  openService,
  openWindow,
  problemsEverywhere,
  type WatchedPage,
} from "./web-page.ts";

const colleague = { name: "Grace", email: "grace@example.com", password: "another good long one" };
const summary = "More than 5% of the requests to checkout fail";
const prometheus = "http://prometheus.example.com/graph?g0.expr=errors";

let opened: OpenedService;
let server: ServerProcess;
let browser: Browser;
let ada: WatchedPage;
let grace: WatchedPage;
let page: Page;
let address: string;
let secret: string;

beforeAll(async () => {
  opened = await openService({ WHENCE_SIGN_IN_PER_MINUTE: "1000" });
  ({ server, browser, window: ada, page } = opened);
  grace = await openWindow(browser, server.url);
  await becomeOwner(page, server);
  await page.getByRole("link", { name: "Settings" }).click();
  await openPage("Triggers");
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

/** Returns a group with one alert, as Alertmanager posts it (version 4 of its webhook). */
function alertGroup(status: "firing" | "resolved"): object {
  const labels = { alertname: "HighErrorRate", service: "checkout", severity: "critical", instance: "10.0.0.7:9090" };
  const annotations = { summary, description: "7.2% of the requests of the last 5 minutes were answered with 500." };
  const alert = {
    status,
    labels,
    annotations,
    startsAt: "2026-03-01T12:00:00.000Z",
    generatorURL: prometheus,
    endsAt: status === "firing" ? "0001-01-01T00:00:00Z" : "2026-03-01T12:09:00.000Z",
    fingerprint: "5ef77f1f8a3ecf8d",
  };
  return {
    receiver: "whence",
    status,
    alerts: [alert],
    groupLabels: { alertname: "HighErrorRate" },
    commonLabels: labels,
    commonAnnotations: annotations,
    externalURL: "http://alertmanager.example.com",
    version: "4",
    groupKey: '{}:{alertname="HighErrorRate"}',
    truncatedAlerts: 0,
  };
}

async function postGroup(status: "firing" | "resolved", token = secret): Promise<number> {
  const answer = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify(alertGroup(status)),
  });
  return answer.status;
}

async function add(sender: string, name: string): Promise<void> {
  await page.getByRole("button", { name: "Add source" }).click();
  await page.getByLabel("Sender").selectOption(sender);
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.locator("form").getByRole("button", { name: "Add source" }).click();
}

const row = (name: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("button", { name: `Setup of ${name}` }) });

describe("an owner on the page of triggers", () => {
  it("adds Alertmanager, and sees its address and, once, the secret", async () => {
    await page.getByText("No alert sources yet").waitFor();
    await page.getByRole("button", { name: "Add source" }).click();
    expect(await barriers()).toEqual([]);
    await page.getByRole("button", { name: "Close" }).click();
    await add("Prometheus Alertmanager", "Production");
    address = await page.getByLabel("Webhook address", { exact: true }).inputValue();
    secret = await page.getByLabel("Bearer token", { exact: true }).inputValue();
    expect(address).toMatch(/\/api\/webhooks\/als_/);
    expect(await page.locator("section:focus").textContent()).toMatch(/^Production was added/);
    const documentation = page.getByRole("link", { name: "Instructions for Prometheus Alertmanager" });
    expect(await documentation.getAttribute("href")).toBe("/docs/triggers/alertmanager");
    expect(await barriers()).toEqual([]);
    await page.getByRole("button", { name: "Done" }).click();
    await page.reload();
    await row("Production").getByText("nothing received yet").waitFor();
    await page.getByRole("button", { name: "Setup of Production" }).click();
    expect(await page.getByLabel("Webhook address", { exact: true }).inputValue()).toBe(address);
    expect(await page.content()).not.toContain(secret);
    expect(await barriers()).toEqual([]);
  });

  it("replaces the secret, and sees the new one once", async () => {
    const old = secret;
    await page.getByRole("button", { name: "Replace secret of Production" }).click();
    await page
      .getByRole("dialog")
      .or(page.getByRole("alertdialog"))
      .getByRole("button", { name: "Replace secret" })
      .click();
    secret = await page.getByLabel("Bearer token", { exact: true }).inputValue();
    expect(secret).not.toBe(old);
    expect(await barriers()).toEqual([]);
    expect(await postGroup("resolved", old)).toBe(401);
    await page.reload();
    expect(await page.content()).not.toContain(secret);
  });

  it("sees why a webhook was rejected", async () => {
    expect(await postGroup("firing", "wrong")).toBe(401);
    await row("Production").getByText("failing", { exact: true }).waitFor();
    await row("Production").getByText("a webhook was refused").waitFor();
    expect(await barriers()).toEqual([]);
  });

  it("sees an alert arrive, and follows it to its incident and back to its sender", async () => {
    await page.getByRole("button", { name: "Alerts of Production" }).click();
    await page.getByText("No alerts yet.").waitFor();
    expect(await postGroup("firing")).toBe(200);
    const alert = page.getByRole("listitem").filter({ hasText: "fired" }).last();
    await alert.getByText("firing", { exact: true }).waitFor();
    const link = alert.getByRole("link", { name: "Open at the sender" });
    expect(await link.getAttribute("href")).toBe(prometheus);
    await row("Production").getByText("1 alert", { exact: true }).waitFor();
    expect(await barriers()).toEqual([]);
    await alert.getByRole("link", { name: summary }).click();
    await page.getByRole("heading", { name: summary, level: 1 }).waitFor();
    await page.getByText("About this incident").click();
    const trigger = page.getByRole("link", { name: "Alert from Prometheus Alertmanager" });
    expect(await trigger.getAttribute("href")).toBe(prometheus);
    expect(await barriers()).toEqual([]);
  });

  it("finds the incident among those opened by alerts", async () => {
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Incidents" }).click();
    await page.getByRole("combobox", { name: "Trigger" }).selectOption("Alert");
    await page.getByRole("link", { name: summary }).waitFor();
    await page.getByRole("combobox", { name: "Trigger" }).selectOption("Telemetry");
    await page.getByRole("link", { name: summary }).waitFor({ state: "detached" });
  });

  it("sees that the sender resolved the alert", async () => {
    await page.getByRole("link", { name: "Settings" }).click();
    await openPage("Triggers");
    await page.getByRole("button", { name: "Alerts of Production" }).click();
    expect(await postGroup("resolved")).toBe(200);
    await page.getByText("resolved", { exact: true }).waitFor();
    expect(await barriers()).toEqual([]);
  });

  it("sees the topic before there is an address, and which field is empty", async () => {
    await add("AWS CloudWatch through SNS", "");
    await page.getByText("This field is required.").waitFor();
    expect(await page.evaluate("document.activeElement.name")).toBe("topic_arn");
    expect(await barriers()).toEqual([]);
    await page.getByLabel("Topic ARN").fill("arn:aws:sns:eu-west-1:123456789012:alarms");
    await page.locator("form").getByRole("button", { name: "Add source" }).click();
    await page.getByText("Whence confirms the subscription").waitFor();
    expect(await barriers()).toEqual([]);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByText("arn:aws:sns:eu-west-1:123456789012:alarms").waitFor();
  });

  it("enters the secret that the sender shows once it has the address", async () => {
    const entered = "secret of PagerDuty";
    await add("PagerDuty", "On call");
    expect(await page.getByLabel("Webhook address", { exact: true }).inputValue()).not.toBe(address);
    const field = page.getByLabel("Signing secret of the webhook subscription");
    expect(await field.getAttribute("type")).toBe("password");
    await page.getByRole("button", { name: "Save secret" }).click();
    await page.getByText("This field is required.").waitFor();
    expect(await barriers()).toEqual([]);
    await field.fill(entered);
    await page.getByRole("button", { name: "Save secret" }).click();
    await page.getByText("Secret of On call saved").waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Setup of On call" }).click();
    await field.waitFor();
    expect(await page.content()).not.toContain(entered);
  });

  it("gets links that create the Slack app for the source's address, and manifests to copy", async () => {
    await page.reload();
    await add("Slack", "Chat");
    const url = await page.getByLabel("Webhook address", { exact: true }).inputValue();
    const link = page.getByRole("link", { name: "Create the Slack app", exact: true });
    const { host, searchParams } = new URL((await link.getAttribute("href")) ?? "");
    const manifest = await page.getByLabel("App manifest", { exact: true }).inputValue();
    expect([host, searchParams.get("manifest_json")]).toEqual(["api.slack.com", manifest]);
    expect(JSON.parse(manifest).settings.event_subscriptions.request_url).toBe(url);
    const socketMode = await page.getByLabel("App manifest with Socket Mode", { exact: true }).inputValue();
    expect(JSON.parse(socketMode).settings.socket_mode_enabled).toBe(true);
    expect(await page.getByRole("listitem").filter({ hasText: "type /invite @Whence" }).count()).toBe(1);
    expect(await barriers()).toEqual([]);
    await page.getByRole("button", { name: "Enter it later" }).click();
  });

  it("makes a bot answer in public too after confirming, and in private only again", async () => {
    await add("GitLab", "Project bot");
    await row("Project bot").waitFor();
    await page.reload();
    const answersPublicly = row("Project bot").getByText("also answers where people from outside read");
    const open = page.getByRole("button", { name: "Answer in public too Project bot" });
    await open.click();
    await page.getByText("causes, hosts, URLs, and lines of your code").waitFor();
    expect(await barriers()).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    expect(await answersPublicly.count()).toBe(0);
    await open.click();
    await page.getByRole("dialog").getByRole("button", { name: "Answer in public too" }).click();
    await page.getByText("Project bot also answers in public").waitFor();
    await answersPublicly.waitFor();
    await page.reload();
    await answersPublicly.waitFor();
    await page.getByRole("button", { name: "Answer in private only Project bot" }).click();
    await page.getByText("What it posted there stays").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Answer in private only" }).click();
    await open.waitFor();
    expect(await answersPublicly.count()).toBe(0);
    expect(await page.getByRole("button", { name: /^Answer in .*(Production|On call)$/ }).count()).toBe(0);
    expect(await barriers()).toEqual([]);
  });
});

describe("a member on the page of triggers", () => {
  it("sees sources and alerts, and can't add or delete any", async () => {
    await openPage("Members");
    await page.getByLabel("Email of the person to invite").fill(colleague.email);
    await page.getByRole("button", { name: "Send invitation" }).click();
    const other = grace.page;
    await other.goto(await page.getByLabel("Invitation link", { exact: true }).inputValue());
    await other.getByLabel("Name").fill(colleague.name);
    await other.getByLabel("Email").fill(colleague.email);
    await other.getByLabel("Password").fill(colleague.password);
    await other.getByRole("button", { name: "Create account" }).click();
    await other.getByRole("link", { name: "Settings" }).click();
    await openPage("Triggers", other);
    await other.getByText("As a member, you can only view").waitFor();
    await other.getByRole("button", { name: "Alerts of Production" }).click();
    await other.getByRole("link", { name: summary }).waitFor();
    await other.getByRole("button", { name: "Setup of On call" }).click();
    await other.getByLabel("Webhook address", { exact: true }).waitFor();
    expect(await other.getByRole("button", { name: /Add|Remove|Save|Answer/ }).count()).toBe(0);
    expect(await barriers(other)).toEqual([]);
  });
});

describe("a source", () => {
  it("is deleted after confirming, and its webhooks are rejected", async () => {
    await openPage("Triggers");
    await page.getByRole("button", { name: "Remove Production" }).click();
    await page.getByRole("heading", { name: "Remove Production?" }).waitFor();
    expect(await barriers()).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("Production removed").waitFor();
    expect(await row("Production").count()).toBe(0);
    expect(await postGroup("firing")).toBe(401);
  });

  it("is in the audit log, with who added and deleted it", async () => {
    await openPage("Audit log");
    await page.getByText(/Ada added the alert source Production/).waitFor();
    await page.getByText(/Ada removed the alert source Production/).waitFor();
    for (const change of ["also answer", "no longer answer"]) {
      await page.getByText(`Ada had the bot ${change} where people from outside read: Project bot`).waitFor();
    }
  });

  it("gets no console errors other than expected rejections", () => {
    expect([...ada.noticed, ...grace.noticed].filter((line) => !isRefusal(line))).toEqual([]);
  });
});
