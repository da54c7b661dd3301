import { type Incident, incidentSchema } from "@whence/protocol";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { faults } from "../../examples/shop/demo/faults.ts";
import { canRun } from "../../examples/shop/demo/options.ts";
import { findPython } from "../../examples/shop/demo/python.ts";
import { startBrowser } from "../servers/browser.ts";
import { type DemoProcess, startDemo } from "./demo-process.ts";
import { openWindow, owner, problemsEverywhere, type WatchedPage } from "./web-page.ts";

/** Six shops start, break, and stop before the first test. */
const demoMs = 900_000;
/** The most that a folded page may be high, by the width of the window. */
const heightsMax = [
  [1440, 1_800],
  [390, 3_200],
] as const;
const printedSchema = z.object({
  runs: z.array(z.object({ fault: z.string(), problems: z.array(z.string()), incident: incidentSchema })),
  median_ms: z.object({ crash: z.number(), handled: z.number() }),
});
type FaultRun = z.infer<typeof printedSchema>["runs"][number];
let demo: DemoProcess;
/** The printed link, which leads a new owner to the last report. */
let setup: URL;
let origin: string;
let runs: readonly FaultRun[];
let browser: Browser;
let ada: WatchedPage;
let page: Page;

beforeAll(async () => {
  demo = startDemo(["--all", "--json", "--keep"]);
  // The end of the document, and what follows it.
  await demo.untilSaid("\n}\n");
  await demo.untilComplained("stop it by");
  ({ runs } = printedSchema.parse(JSON.parse(demo.said())));
  const [link = ""] = /http:\S+\/setup\?token=\S+/.exec(demo.complained()) ?? [];
  setup = new URL(link);
  ({ origin } = setup);
  browser = await startBrowser();
  ada = await openWindow(browser, origin);
  ({ page } = ada);
  await page.goto(`${setup.href.split("&next=")[0]}&next=/incidents`);
  await page.getByLabel("Name").fill(owner.name);
  await page.getByLabel("Email").fill(owner.email);
  await page.getByLabel("Password").fill(owner.password);
  await page.getByRole("button", { name: "Create owner account" }).click();
  await page.getByRole("heading", { name: "Incidents", exact: true }).waitFor();
}, demoMs);
afterAll(async () => {
  await browser?.close();
  demo.child.kill("SIGINT");
  await demo.ended();
});

async function openIncident({ incident }: FaultRun): Promise<void> {
  await page.goto(`${origin}/incidents/${incident.id}`);
  await page.getByRole("heading", { name: "Root cause" }).waitFor();
  await page.getByRole("tab", { name: "Stack trace" }).waitFor();
  await page
    .getByRole("region", { name: /^Source of/ })
    .first()
    .waitFor();
}

/** The incident as it is now, as its owner reads it. */
async function readIncident({ incident }: FaultRun): Promise<Incident> {
  const answer = await page.request.get(`${origin}/api/incidents/${incident.id}`);
  return incidentSchema.parse(await answer.json());
}

/** Opens an incident and reads its page, again where the report was refined meanwhile; returns both. */
async function readPage<Read>(run: FaultRun, read: () => Promise<Read>): Promise<readonly [Incident, Read]> {
  for (;;) {
    const before = await readIncident(run);
    await openIncident(run);
    const onPage = await read();
    const after = await readIncident(run);
    if (before.refinement?.version === after.refinement?.version) return [after, onPage];
  }
}

/** The beginning of the headline, which says where the failure came from, as a page shows it. */
function originOf(incident: Incident): string {
  const [told = ""] = (incident.report?.root_cause_summary ?? "").split(/, (?:and|which|so) |: |\. /);
  return told.replaceAll("`", "");
}

const html = "document.querySelector('main').innerText.replace(/\\s+/g, ' ')";

describe("pnpm demo", () => {
  // requirement: service.trigger-telemetry
  // requirement: service.report-evidence
  it("gets an acceptable report for each of six faults, or five without Python", () => {
    expect(demo.complained()).not.toContain("The demo failed");
    expect(runs.map(({ fault, problems }) => ({ fault, problems }))).toEqual(
      faults.filter(canRun).map(({ name }) => ({ fault: name, problems: [] })),
    );
    expect(runs).toHaveLength(findPython() === undefined ? 5 : 6);
  });

  it("prints a link that makes the first person to open it the owner, and leads to the last report", () => {
    expect(setup.searchParams.get("next")).toBe(`/incidents/${runs.at(-1)?.incident.id}`);
  });
});

describe("the page of each of the demo's incidents", () => {
  it("is short while it is folded, with its source lines and its stack trace", async () => {
    for (const run of runs) {
      for (const [width, heightMax] of heightsMax) {
        await page.setViewportSize({ width, height: 900 });
        await openIncident(run);
        const height = z.number().parse(await page.evaluate("document.documentElement.scrollHeight"));
        expect([run.fault, width, height > heightMax ? height : "short"]).toEqual([run.fault, width, "short"]);
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("says where the failure came from once, apart from what is advised", async () => {
    for (const run of runs) {
      const [incident, shown] = await readPage(run, async () => {
        // biome-ignore lint/performance/useDomNodeTextContent: `html` is what is rendered, too.
        const advised = await page.getByRole("region", { name: "Do now" }).innerText();
        const whole = z.string().parse(await page.evaluate(html));
        return whole.replace(advised.replace(/\s+/g, " ").trim(), "");
      });
      const cause = originOf(incident);
      expect([run.fault, cause, shown.split(cause).length - 1]).toEqual([run.fault, cause, 1]);
    }
  });

  it("advises at most two things, and first to roll back a release where the report does", async () => {
    for (const run of runs) {
      const [incident, advised] = await readPage(run, () =>
        page.getByRole("region", { name: "Do now" }).getByRole("listitem").allTextContents(),
      );
      expect(advised.length).toBeLessThanOrEqual(2);
      const solutions = incident.report?.short_term_solutions ?? [];
      const [back] = solutions.filter(({ rolls_back: release }) => release !== undefined);
      const title = (back ?? solutions[0])?.title.replaceAll("`", "") ?? "";
      expect(advised[0]?.slice(0, title.length)).toBe(title);
    }
  });

  it("has the request, the breadcrumbs, the event as JSON, and all events of the failure", async () => {
    const [run] = runs;
    if (!run) throw new Error("no fault was run");
    await openIncident(run);
    await page.getByRole("tab", { name: "Request" }).click();
    await page
      .getByRole("tabpanel", { name: "Request" })
      .getByText(/^POST \/orders/)
      .waitFor();
    await page.getByRole("tab", { name: /^Breadcrumbs/ }).click();
    await page.getByRole("columnheader", { name: "Category" }).waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("tab", { name: "Raw event" }).click();
    expect(await page.getByRole("region", { name: "Event as JSON" }).textContent()).toContain('"exceptions"');
    await page.getByRole("tab", { name: "All events" }).click();
    await page.getByRole("columnheader", { name: "User agent" }).waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("tabpanel").getByRole("button").first().click();
    await page.getByRole("button", { name: "Raw text" }).click();
    expect(await page.getByRole("region", { name: "Stack trace as text" }).textContent()).toContain("    at ");
    expect(await problemsEverywhere(page)).toEqual([]);
    expect(ada.noticed).toEqual([]);
  });
});

describe("pnpm demo --keep", () => {
  it("keeps the service running until it is interrupted, and then exits with 0, as no report had a problem", async () => {
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    demo.child.kill("SIGINT");
    expect(await demo.ended()).toBe(0);
    await expect(fetch(origin)).rejects.toThrow();
  });
});
