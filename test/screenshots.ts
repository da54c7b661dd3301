import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { owner } from "./e2e/web-page.ts";
import { startBrowser } from "./servers/browser.ts";

const repository: string = join(import.meta.dirname, "..");
const images: string = join(repository, "docs/images");
const wide = { width: 1280, height: 860 };
const narrow = { width: 360, height: 740 };
/** Charts and colors of code are drawn after the page. */
const settleMs = 1_500;

const errorLog = `TypeError: Cannot read properties of undefined (reading 'total')
    at showCart (/srv/shop/src/cart.js:2:23)
    at checkout (/srv/shop/src/checkout.js:14:10)
    at Layer.handle (/srv/shop/node_modules/express/lib/router/layer.js:95:5)`;
const cart = "function showCart(session) {\n  return session.cart.total;\n}\n";

/**
 * Creates the screenshots of the documentation from the example shop, broken in each of its ways, on its own service.
 */
const demo = spawn(process.execPath, ["--conditions=@whence/source", "examples/shop/demo.ts", "--all", "--keep"], {
  cwd: repository,
  stdio: ["ignore", "pipe", "inherit"],
});
const ended = once(demo, "exit");
const browser = await startBrowser();
try {
  const link = await setupLink();
  const context = await browser.newContext({ viewport: wide, colorScheme: "light", reducedMotion: "reduce" });
  await takeAll(await context.newPage(), link);
} finally {
  await browser.close();
  demo.kill("SIGINT");
  await ended;
}

/** Returns the one-time link that the demo prints once the shop was broken in every way. */
async function setupLink(): Promise<URL> {
  let printed = "";
  for await (const chunk of demo.stdout) {
    printed += String(chunk);
    const [, link] = /open it by\s+(\S+)/.exec(printed) ?? [];
    if (link !== undefined) return new URL(link);
  }
  throw new Error(`the demo ended without a link:\n${printed}`);
}

async function takeAll(page: Page, link: URL): Promise<void> {
  const { origin } = link;
  const report = link.searchParams.get("next") ?? "/incidents";
  await page.goto(link.href);
  await page.getByLabel("Name").fill(owner.name);
  await page.getByLabel("Email").fill(owner.email);
  await page.getByLabel("Password").fill(owner.password);
  await page.getByRole("button", { name: "Create owner account" }).click();
  await page.getByRole("heading", { name: "Root cause" }).waitFor();
  await take(page, "incident");
  await page.emulateMedia({ colorScheme: "dark" });
  await take(page, "incident-dark");
  await page.emulateMedia({ colorScheme: "light" });

  await page.goto(`${origin}/incidents`);
  await page.getByRole("heading", { name: "Incidents", exact: true }).waitFor();
  await take(page, "incidents");
  await page.goto(`${origin}/services`);
  await page.getByRole("heading", { name: "Services" }).waitFor();
  await take(page, "services");
  await page.goto(`${origin}/analyze`);
  await page.getByLabel("Error", { exact: true }).fill(errorLog);
  await page
    .locator("input[data-files]")
    .setInputFiles([{ name: "cart.js", mimeType: "text/javascript", buffer: Buffer.from(cart) }]);
  await page.getByText("in cart.js").waitFor();
  await take(page, "analyze");

  await page.setViewportSize(narrow);
  await page.goto(origin + report);
  await page.getByRole("heading", { name: "Root cause" }).waitFor();
  await take(page, "incident-narrow");
}

async function take(page: Page, name: string): Promise<void> {
  await page.waitForLoadState("networkidle", { timeout: settleMs }).catch(() => undefined);
  await page.waitForTimeout(settleMs);
  await page.evaluate(leavingOut(`${repository}/`));
  await page.screenshot({ path: join(images, `${name}.png`) });
  console.log(`docs/images/${name}.png`);
}

/** Removes the location of this checkout from paths, which then begin in the repository, as the demo prints them. */
function leavingOut(prefix: string): string {
  return `{
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data } = texts.currentNode;
      const short = data.replaceAll(${JSON.stringify(prefix)}, "");
      if (short !== data) texts.currentNode.data = short;
    }
  }`;
}
