import { mkdtemp, rm, writeFile } from "node:fs/promises";
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
/** The rules of axe-core that read colors, which are all that differs between the schemes. */
const colorRules = ["color-contrast", "link-in-text-block"] as const;
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
    if (message.type() === "error") noticed.push([message.text(), message.location().url].join(" ").trim());
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

/** What answers for vendors on the internet. */
export interface VendorsDouble {
  /** Of the vendors' hosts. */
  readonly names: readonly string[];
  readonly port: number;
  /** The certificate that those names are signed with, as PEM. */
  readonly authority: string;
}

/**
 * Starts a service with its environment, whose vendors may be answered for, and opens a window on it, without a session.
 */
export async function openService(
  environment: Readonly<Record<string, string>> = {},
  vendors?: VendorsDouble,
): Promise<OpenedService> {
  const folder = await mkdtemp(join(tmpdir(), "whence-web-"));
  const asked = vendors ? await reaching(vendors, folder) : { variables: {}, flags: [] };
  const variables = { ...environment, ...asked.variables };
  const server = await startServerProcess(join(folder, "data"), await freePort(), variables, asked.flags);
  const browser = await startBrowser();
  const window = await openWindow(browser, server.url);
  const end = async (): Promise<void> => {
    await browser.close();
    await server.end("SIGTERM");
    await rm(folder, { recursive: true, force: true });
  };
  return { server, browser, window, page: window.page, end };
}

async function reaching({ names, port, authority }: VendorsDouble, folder: string) {
  const certificate = join(folder, "authority.pem");
  await writeFile(certificate, authority);
  return {
    variables: {
      WHENCE_ALLOWED_NETWORKS: "127.0.0.0/8",
      NODE_EXTRA_CA_CERTS: certificate,
      VENDOR_NAMES: names.join(),
      VENDOR_PORT: String(port),
    },
    flags: ["--import", new URL("programs/vendors-at-a-double.ts", import.meta.url).href],
  };
}

/** Whether a line is the browser's own message about an answer that the page has shown. */
export function isRefusal(line: string): boolean {
  return /^Failed to load resource: the server responded with a status of 4\d\d/.test(line);
}

/** Presses keys that mean something together, such as `g` and `i`, without waiting for the page between them. */
export async function pressTogether(page: Page, ...keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => page.keyboard.press(key)));
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

/** Returns the problems that axe-core finds in the page, by rule and element: those of all its rules, or of some. */
export async function accessibilityProblems(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const options = JSON.stringify({ resultTypes: ["violations"], ...(rules && { runOnly: rules }) });
  const result = resultSchema.parse(await page.evaluate(`axe.run(document, ${options})`));
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
      const found = await accessibilityProblems(page, colorScheme === "light" ? undefined : colorRules);
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
