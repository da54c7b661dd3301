import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { startBrowser } from "../servers/browser.ts";
import { freePort } from "../servers/free-port.ts";
import { eventually, type ServerProcess, startServerProcess } from "../servers/server-process.ts";
import { isRefusal, openWindow, owner, problemsEverywhere, signIn, type WatchedPage } from "./web-page.ts";

/** In the log, it is inside JSON. */
const printedLink = /http:[^\s"\\]+\/reset-password\?token=[\w-]+/;
const commandLine = join(import.meta.dirname, "../../sdks/agent/src/main.ts");

let dataDirectory: string;
let server: ServerProcess;
let browser: Browser;
let ada: WatchedPage;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "whence-web-"));
  server = await startServerProcess(dataDirectory, await freePort(), { WHENCE_SIGN_IN_PER_MINUTE: "1000" });
  browser = await startBrowser();
  ada = await openWindow(browser, server.url);
});
afterAll(async () => {
  await browser?.close();
  await server?.end("SIGTERM");
  await rm(dataDirectory, { recursive: true, force: true });
});

async function registerAgent(): Promise<{ claim_url: string; api_key: string }> {
  const answer = await fetch(`${server.url}/api/agents/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ source: "browser test" }),
  });
  return z.object({ claim_url: z.string(), api_key: z.string() }).parse(await answer.json());
}

async function statusOf(key: string): Promise<string> {
  const answer = await fetch(`${server.url}/api/agents/status`, { headers: { "x-api-key": key } });
  return z.object({ status: z.string() }).parse(await answer.json()).status;
}

/** Returns the output of an agent's command line on another machine. */
async function whence(command: string): Promise<{ status: string; claim_url: string | null }> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, HOME: dataDirectory, WHENCE_URL: server.url };
  const args = ["--conditions=@whence/source", commandLine, command, "--json"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return z.object({ status: z.string(), claim_url: z.string().nullable() }).parse(JSON.parse(stdout));
}

describe("a person with a browser", () => {
  it("becomes the owner with the setup link that the first start prints, once", async () => {
    const { page } = ada;
    const link = /set-up\s+(\S+)/.exec(server.output())?.[1] ?? "";
    await page.goto(link);
    await page.getByLabel("Name").fill(owner.name);
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.getByLabel("Email").fill(owner.email);
    await page.getByLabel("Password").fill(owner.password);
    await page.getByRole("button", { name: "Create owner account" }).click();
    await page.getByRole("heading", { name: "Add a service" }).waitFor();
    expect(page.url()).toBe(`${server.url}/services/new`);
    const again = await openWindow(browser, server.url);
    await again.page.goto(link);
    await again.page.getByText("set-up link was already used").waitFor();
    await again.page.close();
  });

  it("sees the service's reason when signing in fails, with the input kept", async () => {
    const { page, noticed } = await openWindow(browser, server.url);
    await page.goto(`${server.url}/login`);
    await page.getByLabel("Email").fill(owner.email);
    await page.getByLabel("Password").fill("not it, no");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
    expect(await page.getByLabel("Email").inputValue()).toBe(owner.email);
    expect(await problemsEverywhere(page)).toEqual([]);
    expect(noticed.filter((line) => !isRefusal(line))).toEqual([]);
    await page.close();
  });

  it("continues to the requested page, and never to another site", async () => {
    for (const [next, path] of [
      ["/incidents?status=failed", "/incidents?status=failed"],
      ["//evil.example/", "/services/new"],
      ["https://evil.example/", "/services/new"],
      ["/.//evil.example", "/services/new"],
      ["/\\evil.example", "/services/new"],
    ] as const) {
      const { page, noticed } = await openWindow(browser, server.url);
      await page.goto(`${server.url}/login?next=${encodeURIComponent(next)}`);
      await signIn(page);
      await page.getByRole("heading", { name: /^(Incidents|Add a service)$/ }).waitFor();
      expect([next, page.url()]).toEqual([next, server.url + path]);
      expect(noticed.filter((line) => !isRefusal(line))).toEqual([]);
      await page.close();
    }
  });

  it("can sign in even if the browser thinks that it is offline, as on a machine without a network", async () => {
    const { page } = await openWindow(browser, server.url);
    await page.goto(`${server.url}/login`);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.evaluate(`dispatchEvent(new Event("offline"))`);
    await signIn(page);
    await page.getByRole("heading", { name: "Add a service" }).waitFor();
    await page.close();
  });

  // requirement: auth.claim-links-after-login
  it("claims an agent by opening the link that its command line printed, signing in, and confirming", async () => {
    const { claim_url: link } = await whence("register");
    const { page, noticed } = await openWindow(browser, server.url);
    await page.goto(link ?? "");
    await page.getByText("An agent wants to join").waitFor();
    await signIn(page);
    await page.getByText("registered").waitFor();
    await page.getByText("from 127.0.0.1").waitFor();
    await page.getByRole("button", { name: "Claim agent" }).click();
    await page.getByRole("heading", { name: "Agent claimed" }).waitFor();
    expect((await whence("status")).status).toBe("claimed");
    expect(await problemsEverywhere(page)).toEqual([]);
    expect(noticed.filter((line) => !isRefusal(line))).toEqual([]);
    await page.close();
  });

  it("is asked before an agent is claimed, and told when its token is invalid", async () => {
    const agent = await registerAgent();
    const { page } = ada;
    await page.goto(agent.claim_url);
    await page.getByRole("heading", { name: "Claim an agent" }).waitFor();
    await page.getByText("browser test", { exact: true }).waitFor();
    expect(await statusOf(agent.api_key)).toBe("unclaimed");
    await page.goto(`${server.url}/login?claim=whc_nothing`);
    await page.getByText("No agent has this claim token.").waitFor();
  });

  it("is sent to the sign-in page, and back, when the session was ended elsewhere", async () => {
    const { page } = ada;
    await page.goto(`${server.url}/incidents?severity=high`);
    await page.getByText("No matching incidents").waitFor();
    const other = await openWindow(browser, server.url);
    await other.page.goto(`${server.url}/login`);
    await signIn(other.page);
    await other.page.getByRole("heading", { name: "Add a service" }).waitFor();
    await other.page.evaluate(
      `fetch("/api/auth/revoke-other-sessions", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" })`,
    );
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await signIn(page);
    await page.getByText("No matching incidents").waitFor();
    expect(page.url()).toBe(`${server.url}/incidents?severity=high`);
    await other.page.close();
  });

  it("signs out, and sees nothing afterwards", async () => {
    const { page } = ada;
    await page.getByRole("button", { name: /^Account/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.goto(`${server.url}/incidents`);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  it("sets a new password with the link that is written to the log", async () => {
    const { page } = ada;
    await page.getByRole("link", { name: "Forgot password?" }).click();
    // The page before it has such a field as well.
    await page.getByRole("heading", { name: "Reset your password" }).waitFor();
    await page.getByLabel("Email").fill(owner.email);
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.getByRole("button", { name: "Send reset link" }).click();
    await page.getByText("we sent it a link").waitFor();
    const link = await eventually("the link", async () => printedLink.exec(server.output())?.[0]);
    await page.goto(link);
    await page.getByLabel("Password").fill(owner.password);
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByText("Password changed.").waitFor();
    await page.getByRole("link", { name: "Sign in" }).click();
    await signIn(page);
    await page.getByRole("heading", { name: "Add a service" }).waitFor();
  });

  it("gets no console errors other than expected rejections", () => {
    expect(ada.noticed.filter((line) => !isRefusal(line))).toEqual([]);
  });
});
