import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { z } from "zod";
import { startBrowser } from "../servers/browser.ts";
import { freePort } from "../servers/free-port.ts";
import { type ServerProcess, startServerProcess } from "../servers/server-process.ts";

export const owner = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };

/** The widths that pages are designed for. */
export const widths = [360, 1440] as const;
export const schemes = ["light", "dark"] as const;
const waitMsMax = 120_000;

/** A page that records what appears in its console. */
export interface WatchedPage {
  readonly page: Page;
  /** Console errors, violations of the page's policy, and requests to other servers. */
  readonly noticed: readonly string[];
}

/** Opens a window with its own session. */
export async function openWindow(browser: Browser, origin: string): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  // A busy machine is slow, not wrong.
  context.setDefaultTimeout(waitMsMax);
  const page = await context.newPage();
  const noticed: string[] = [];
  await page.addInitScript(
    `addEventListener("securitypolicyviolation", (event) => console.error("policy", event.violatedDirective, event.blockedURI, event.sourceFile))`,
  );
  page.on("console", (message) => {
    if (message.type() === "error") noticed.push(message.text());
  });
  page.on("pageerror", (error) => noticed.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${origin}/`)) noticed.push(`a request to ${request.url()}`);
  });
  return { page, noticed };
}

/** A new service, and a browser with a window on it. */
export interface OpenedService {
  readonly server: ServerProcess;
  readonly browser: Browser;
  readonly window: WatchedPage;
  /** The page of that window. */
  readonly page: Page;
  /** Ends both, and deletes what the service stored. */
  end(): Promise<void>;
}

/** Starts a service with its environment, and opens a window on it. No one is signed in there yet. */
export async function openService(environment: Readonly<Record<string, string>> = {}): Promise<OpenedService> {
  const dataDirectory = await mkdtemp(join(tmpdir(), "whence-web-"));
  const server = await startServerProcess(dataDirectory, await freePort(), environment);
  const browser = await startBrowser();
  const window = await openWindow(browser, server.url);
  const end = async (): Promise<void> => {
    await browser.close();
    await server.end("SIGTERM");
    await rm(dataDirectory, { recursive: true, force: true });
  };
  return { server, browser, window, page: window.page, end };
}

/** Whether a line is the browser's own message about an answer that the page has shown. */
export function isRefusal(line: string): boolean {
  return /^Failed to load resource: the server responded with a status of 4\d\d/.test(line);
}

/** Signs in on the open page. */
export async function signIn(page: Page): Promise<void> {
  await page.getByLabel("Email").fill(owner.email);
  await page.getByLabel("Password").fill(owner.password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

const resultSchema = z.object({
  violations: z.array(z.object({ id: z.string(), nodes: z.array(z.object({ target: z.array(z.unknown()) })) })),
});

/** Returns the problems that axe-core finds in the page, by rule and element. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const result = resultSchema.parse(await page.evaluate(`axe.run(document, { resultTypes: ["violations"] })`));
  return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
}

/** Returns what is too small to press on the page, in the meaning of WCAG 2.2: less than 24 px, with too little around it. */
export async function smallTargets(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const rule = `{ resultTypes: ["violations"], runOnly: ["target-size"] }`;
  const { violations } = resultSchema.parse(await page.evaluate(`axe.run(document, ${rule})`));
  return violations.flatMap(({ nodes }) =>
    nodes.map(({ target }) => `${new URL(page.url()).pathname} ${target.join(" ")}`),
  );
}

/** Waits a frame: what follows a change of size, such as charts, is drawn in the next one. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
}

/**
 * Returns what is wrong with the page at every size and in every scheme: accessibility problems, and anything wider
 * than the screen.
 */
export async function problemsEverywhere(page: Page): Promise<string[]> {
  const problems: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await drawn(page);
    const wide = z.number().parse(await page.evaluate("document.documentElement.scrollWidth"));
    if (wide > width) problems.push(`at ${width} px it is ${wide} px wide`);
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      await drawn(page);
      const found = await accessibilityProblems(page);
      problems.push(...found.map((problem) => `at ${width} px, ${colorScheme}: ${problem}`));
    }
  }
  return problems;
}

/** Becomes the owner by the link that a new service prints, which leads to adding the first service. */
export async function becomeOwner(page: Page, server: { output(): string }): Promise<void> {
  await page.goto(/set-up\s+(\S+)/.exec(server.output())?.[1] ?? "");
  await page.getByLabel("Name").fill(owner.name);
  await page.getByLabel("Email").fill(owner.email);
  await page.getByLabel("Password").fill(owner.password);
  await page.getByRole("button", { name: "Create owner account" }).click();
  await page.getByRole("heading", { name: "Add a service" }).waitFor();
}
