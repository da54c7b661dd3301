import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBrowser } from "../servers/browser.ts";
import { freePort } from "../servers/free-port.ts";
import { issuerAt, type OpenIdProvider, startOpenIdProvider } from "../servers/openid-provider.ts";
import { type ServerProcess, startServerProcess } from "../servers/server-process.ts";
import { becomeOwner, isRefusal, openWindow, owner, problemsEverywhere, signIn } from "./web-page.ts";

const accounts = {
  ada: { email: owner.email, email_verified: true, name: owner.name },
  grace: { email: "grace@example.com", email_verified: true, name: "Grace" },
  linus: { email: "linus@example.com", email_verified: true, name: "Linus" },
  eve: { email: owner.email, email_verified: false, name: "Eve" },
};
/** In the log, it is inside JSON. */
const printedLink = /http:[^\s"\\]+\/verify-email\?token=[\w.-]+/;
const client = { id: "whence", secret: "of the tests" };

let dataDirectory: string;
let providerPort: number;
let provider: OpenIdProvider | undefined;
let server: ServerProcess;
let browser: Browser;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "whence-web-"));
  providerPort = await freePort();
  server = await startServerProcess(dataDirectory, await freePort(), {
    WHENCE_SIGN_IN_PER_MINUTE: "1000",
    WHENCE_OIDC_ISSUER: issuerAt(providerPort),
    WHENCE_OIDC_CLIENT_ID: client.id,
    WHENCE_OIDC_CLIENT_SECRET: client.secret,
    WHENCE_OIDC_NAME: "Acme SSO",
  });
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await provider?.stop();
  await server?.end("SIGTERM");
  await rm(dataDirectory, { recursive: true, force: true });
});

const open = () => openWindow(browser, server.url);

/** Leaves the sign-in page for the provider, and logs in there. */
async function continueAs(page: Page, account: string): Promise<void> {
  await page.getByRole("button", { name: "Continue with Acme SSO" }).click();
  await logInAs(page, account);
}

async function logInAs(page: Page, account: string): Promise<void> {
  await page.getByLabel("Account").fill(account);
  await page.getByRole("button", { name: "Log in" }).click();
}

/** Whether the sign-in page before a page of the application leads to the provider. */
async function reachesProvider(page: Page, path: string): Promise<boolean> {
  await page.goto(`${server.url}${path}`);
  await page.getByRole("button", { name: "Continue with Acme SSO" }).click();
  const account = page.getByLabel("Account");
  await account.or(page.getByText("Acme SSO can't be reached")).waitFor();
  return account.isVisible();
}

describe("single sign-on", () => {
  it("leaves the service and its other ways in as they are while the provider is away", async () => {
    const { page, noticed } = await open();
    await becomeOwner(page, server);
    await page.context().clearCookies();
    await page.goto(`${server.url}/login`);
    await page.getByRole("button", { name: "Continue with Acme SSO" }).click();
    await page.getByText("Acme SSO can't be reached").waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await signIn(page);
    await page.getByRole("heading", { name: "Add a service" }).waitFor();
    expect(noticed.filter((line) => !isRefusal(line))).toEqual([]);
    await page.close();
  });

  it("works once the provider is there, and leads back to the requested page", async () => {
    const redirectUri = `${server.url}/api/auth/callback/oidc`;
    provider = await startOpenIdProvider({ port: providerPort, client: { ...client, redirectUri }, accounts });
    const { page, noticed } = await open();
    // The service doesn't ask a provider that was away again at once.
    await expect.poll(() => reachesProvider(page, "/settings/account")).toBe(true);
    await logInAs(page, "ada");
    await page.getByText("Where you are signed in").waitFor();
    expect(page.url()).toBe(`${server.url}/settings/account`);
    const elsewhere = (line: string) => !line.includes(issuerAt(providerPort));
    expect(noticed.filter((line) => !isRefusal(line) && elsewhere(line))).toEqual([]);
    await page.close();
  });

  it.each([
    ["eve", "There is an account with this email address already"],
    ["grace", "No invitation for your email address is open"],
    ["", "The provider did not let you in"],
  ])("tells %j on the sign-in page why they weren't let in", async (account, reason) => {
    const { page } = await open();
    await page.goto(`${server.url}/login?next=%2Fincidents`);
    await continueAs(page, account);
    await page.getByText(reason).waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    expect(new URL(page.url()).searchParams.get("next")).toBe("/incidents");
    await page.close();
  });

  it("lets an invited person in without a password, and into the organization once they accept", async () => {
    const ada = await open();
    await ada.page.goto(`${server.url}/settings/members`);
    await signIn(ada.page);
    await ada.page.getByLabel("Email of the person to invite").fill(accounts.grace.email);
    await ada.page.getByRole("button", { name: "Send invitation" }).click();
    const link = await ada.page.getByLabel("Invitation link", { exact: true }).inputValue();
    const { page } = await open();
    await page.goto(link);
    await continueAs(page, "grace");
    await page.getByText(`You are signed in as ${accounts.grace.email}`).waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.getByRole("button", { name: "Accept invitation" }).click();
    await page.getByRole("heading", { name: /^(Incidents|Add a service)$/ }).waitFor();
    await ada.page.reload();
    await ada.page.getByText(accounts.grace.email).waitFor();
    await Promise.all([page.close(), ada.page.close()]);
  });

  it("enters an account with a password once its address is verified by the link that is in the log", async () => {
    const ada = await open();
    await ada.page.goto(`${server.url}/settings/members`);
    await signIn(ada.page);
    await ada.page.getByLabel("Email of the person to invite").fill(accounts.linus.email);
    await ada.page.getByRole("button", { name: "Send invitation" }).click();
    const { page, noticed } = await open();
    await page.goto(await ada.page.getByLabel("Invitation link", { exact: true }).inputValue());
    await page.getByLabel("Name").fill(accounts.linus.name);
    await page.getByLabel("Email").fill(accounts.linus.email);
    await page.getByLabel("Password").fill(owner.password);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("heading", { name: /^(Incidents|Add a service)$/ }).waitFor();
    await page.goto(`${server.url}/settings/account`);
    await page.getByRole("button", { name: "Send verification link" }).click();
    await page.getByText(`We sent a link to ${accounts.linus.email}`).waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.goto(printedLink.exec(server.output())?.[0] ?? "");
    await page.getByText("Your email address is verified.").waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    expect(noticed.filter((line) => !isRefusal(line))).toEqual([]);
    await page.context().clearCookies();
    await page.goto(`${server.url}/settings/account`);
    await continueAs(page, "linus");
    await page.getByText(`signed in as ${accounts.linus.email}`).waitFor();
    await Promise.all([page.close(), ada.page.close()]);
  });

  it.each(["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)"])(
    "never leads to another site: %s",
    async (elsewhere) => {
      for (const name of ["callbackURL", "errorCallbackURL", "newUserCallbackURL"]) {
        const started = await fetch(`${server.url}/api/auth/sign-in/social`, {
          method: "POST",
          headers: { "content-type": "application/json", origin: server.url },
          body: JSON.stringify({ provider: "oidc", callbackURL: "/login", [name]: elsewhere }),
        });
        expect([name, started.status]).toEqual([name, 403]);
      }
    },
  );
});
