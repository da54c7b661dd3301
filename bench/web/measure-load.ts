import { get } from "node:http";
import type { Page } from "playwright-core";
import { z } from "zod";

export interface Load {
  /** Time from the start of the navigation until the first row is in the page. */
  readonly ms: number;
  /** Scripts requested until then. */
  readonly scripts: readonly string[];
}

const loadSchema = z.object({ ms: z.number(), scripts: z.array(z.string()) });

/** Opens an address, and measures the time until its first row. */
export async function measureLoad(page: Page, url: string, row: string): Promise<Load> {
  await page.addInitScript(`new MutationObserver((_, observer) => {
    if (!document.querySelector(${JSON.stringify(row)})) return;
    window.firstRowAt = performance.now();
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true })`);
  await page.goto(url);
  await page.locator(row).first().waitFor();
  const answer: unknown = await page.evaluate(`({
    ms: window.firstRowAt,
    scripts: performance.getEntriesByType("resource")
      .filter(({ name, startTime }) => name.endsWith(".js") && startTime < window.firstRowAt)
      .map(({ name }) => name),
  })`);
  return loadSchema.parse(answer);
}

/** Returns the size of scripts in Brotli, as they are sent. */
export async function brotliBytes(scripts: readonly string[]): Promise<number> {
  const sizes = await Promise.all(scripts.map(sizeInBrotli));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function sizeInBrotli(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers: { "accept-encoding": "br" } }, (answer) => {
      let bytes = 0;
      answer.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      answer.on("end", () => resolve(bytes)).on("error", reject);
    });
    request.on("error", reject);
  });
}
