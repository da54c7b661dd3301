import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { becomeOwner } from "../../test/e2e/web-page.ts";
import { startBrowser } from "../../test/servers/browser.ts";
import { freePort } from "../../test/servers/free-port.ts";
import { startServerProcess } from "../../test/servers/server-process.ts";
import { quantile } from "../quantile.ts";
import { table } from "../table.ts";
import { fillIncidents, incidentsFilled } from "./fill-incidents.ts";
import { measureFrames, waitForLength } from "./measure-frames.ts";
import { brotliBytes, type Load, measureLoad } from "./measure-load.ts";
import { emptyPage, plainRows, servePage } from "./plain-pages.ts";

/** A frame is missed when it comes later than one and a half of 1/60 s after the previous one. */
const frameBudgetMs = 25;
const scrollMs = 5_000;
const loads = 5;
const row = "[data-row]";
const viewport = { width: 1440, height: 900 };
/** Pixels per second: skimming, and dragging the scroll bar. */
const speeds = { skimming: 2_400, rushing: 24_000 };

const directory = mkdtempSync(join(tmpdir(), "whence-web-bench-"));
const port = await freePort();
const browser = await startBrowser();
const [empty, plain] = await Promise.all([servePage(emptyPage), servePage(plainRows(incidentsFilled))]);
try {
  const session = await prepare(browser);
  const server = await startServerProcess(directory, port);
  try {
    await compareLoads(browser, session, `${server.url}/incidents`);
    await compareScrolling(browser, session, `${server.url}/incidents`);
  } finally {
    await server.end("SIGTERM");
  }
} finally {
  await browser.close();
  empty.close();
  plain.close();
  rmSync(directory, { recursive: true, force: true });
}

type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Prepares a service with an owner's session, and incidents. */
async function prepare(browser: Browser): Promise<Session> {
  const server = await startServerProcess(directory, port);
  const context = await browser.newContext({ viewport });
  await becomeOwner(await context.newPage(), server);
  const session = await context.storageState();
  await context.close();
  await server.end("SIGTERM");
  fillIncidents(join(directory, "control.sqlite"));
  return session;
}

/** Opens a page in a new window with an empty cache. */
async function openPage(browser: Browser, session: Session): Promise<Page> {
  const context = await browser.newContext({ viewport, storageState: session });
  return context.newPage();
}

async function compareLoads(browser: Browser, session: Session, url: string): Promise<void> {
  const load = async (address: string): Promise<Load> => {
    const page = await openPage(browser, session);
    const measured = await measureLoad(page, address, row);
    await page.context().close();
    return measured;
  };
  const [ours, theirs]: [Load[], Load[]] = [[], []];
  for (let count = 0; count < loads; count++) {
    theirs.push(await load(plain.url));
    ours.push(await load(url));
  }
  const scripts = ours.at(-1)?.scripts ?? [];
  const median = (all: readonly Load[]): number =>
    quantile(
      all.map(({ ms }) => ms),
      0.5,
    );
  const [mine, baseline] = [median(ours), median(theirs)];
  const kilobytes = (await brotliBytes(scripts)) / 1_000;
  console.log(
    table(
      ["until the first rows", "ms, median", "ratio", "script files", "kB, brotli"],
      [
        [`${incidentsFilled} plain rows (baseline)`, baseline.toFixed(0), "1.0", "0", "0"],
        ["whence", mine.toFixed(0), (mine / baseline).toFixed(1), String(scripts.length), kilobytes.toFixed(1)],
      ],
    ),
  );
}

async function compareScrolling(browser: Browser, session: Session, url: string): Promise<void> {
  const page = await openPage(browser, session);
  await page.goto(empty.url);
  const rows = [await measured("an empty page that is tall (baseline)", page, speeds.skimming)];
  await page.goto(plain.url);
  for (const [name, speed] of Object.entries(speeds)) rows.push(await measured(`plain rows, ${name}`, page, speed));
  await page.goto(url);
  await page.locator(row).first().waitFor();
  rows.push(await measured("whence, skimming, pages come in", page, speeds.skimming));
  await waitForLength(page, incidentsFilled);
  for (const [name, speed] of Object.entries(speeds))
    rows.push(await measured(`whence, all there, ${name}`, page, speed));
  const headings = ["scrolling", "frames a second", `over ${frameBudgetMs} ms`, "share", "p95 ms", "worst ms", "blank"];
  console.log(`\n${table(headings, rows)}`);
  await page.context().close();
}

async function measured(name: string, page: Page, pixelsPerSecond: number): Promise<string[]> {
  const { intervals, blank } = await measureFrames(page, { pixelsPerSecond, forMs: scrollMs, row });
  const seconds = intervals.reduce((sum, interval) => sum + interval, 0) / 1_000;
  const late = intervals.filter((interval) => interval > frameBudgetMs).length;
  return [
    name,
    (intervals.length / seconds).toFixed(1),
    String(late),
    `${((100 * late) / intervals.length).toFixed(1)}%`,
    quantile(intervals, 0.95).toFixed(1),
    Math.max(...intervals).toFixed(1),
    String(blank),
  ];
}
