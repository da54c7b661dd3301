import { type Browser, chromium } from "playwright-core";
import { findProgram } from "./programs.ts";

/** Starts a real headless Chromium that makes no requests other than those of the pages it opens. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findProgram("chromium", "chromium"),
    args: [
      // Chromium can't use its sandbox when it runs as root, as in a container.
      "--no-sandbox",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
}
