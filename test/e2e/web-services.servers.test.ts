import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ServerProcess } from "../servers/server-process.ts";
import {
  becomeOwner,
  isRefusal,
  type OpenedService,
  openService,
  problemsEverywhere,
  type WatchedPage,
} from "./web-page.ts";

const repository: string = join(import.meta.dirname, "../..");
const register = join(repository, "sdks/node/src/register.ts");
const programs: ChildProcess[] = [];

let opened: OpenedService;
let server: ServerProcess;
let ada: WatchedPage;
let page: Page;

beforeAll(async () => {
  opened = await openService();
  ({ server, window: ada, page } = opened);
});
afterAll(async () => {
  for (const program of programs) program.kill("SIGKILL");
  await opened?.end();
});

/** Starts a user's program as the page says. */
function startProgram(environment: Record<string, string>, code: string): ChildProcess {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const program = spawn(process.execPath, ["--conditions=@whence/source", "--import", register, "--eval", code], {
    cwd: repository,
    env: { ...environment, PATH, NODE_COMPILE_CACHE },
    stdio: "ignore",
  });
  programs.push(program);
  return program;
}

async function end(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  const ended = once(program, "exit");
  program.kill("SIGKILL");
  await ended;
}

/** Returns the variables in a command as a shell would set them. */
function variablesOf(command: string): Record<string, string> {
  return Object.fromEntries([...command.matchAll(/(WHENCE_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]));
}

describe("the first run", () => {
  it("is the first page that the owner of a new service sees", async () => {
    await becomeOwner(page, server);
    expect(page.url()).toBe(`${server.url}/services/new`);
    await page.getByText("No telemetry yet.").waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("shows how to connect each kind of program", async () => {
    await page.getByRole("tab", { name: "Express" }).click();
    await page.getByText("app.use(whenceRequests());").waitFor();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.getByText("await app.register(whenceFastify);").waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("tab", { name: "Any Node.js program" }).click();
  });

  it("turns green when a program started with its command reports, and links to the services", async () => {
    await page.getByLabel("Service name").fill("storefront");
    await page.getByRole("button", { name: "Create send key" }).click();
    await page.getByText("won't be shown again").waitFor();
    const command = await page.getByRole("region", { name: "Start" }).textContent();
    const variables = variablesOf(command ?? "");
    expect(variables).toEqual({
      WHENCE_API_KEY: expect.stringMatching(/^whk_/),
      WHENCE_SERVICE: "storefront",
      WHENCE_ENDPOINT: server.url,
    });
    startProgram(variables, "setInterval(() => {}, 1_000);");
    await page.getByText("storefront (PROD) is connected.").waitFor();
    await page.getByText(/^Events are kept in .*whence-spool-\d+ until they are sent\.$/).waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    const failing = startProgram(variables, "setTimeout(() => { null.total; }, 10);");
    await once(failing, "exit");
    await page.getByRole("link", { name: "View services" }).click();
    await page.getByRole("heading", { name: "Services" }).waitFor();
  });
});

describe("the services", () => {
  it("show what runs and how it failed, and link to its incidents", async () => {
    await page.getByRole("heading", { name: "storefront" }).waitFor();
    await page.getByText("1 process").waitFor();
    await page.getByRole("img", { name: /1 failing event in the last day/ }).waitFor();
    const incidents = page.getByRole("link", { name: "1 incident of storefront in the last day" });
    await incidents.waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await incidents.click();
    await page.getByRole("link", { name: /reading 'total'/ }).waitFor();
    expect(page.url()).toBe(`${server.url}/incidents?service=storefront&env=PROD&span=24h`);
  });

  it("lead to a page about each, which says what runs, what crashed, and what is open", async () => {
    await page.goto(`${server.url}/services`);
    await page.getByRole("link", { name: "storefront", exact: true }).click();
    await page.getByRole("heading", { name: "storefront", exact: true }).waitFor();
    expect(page.url()).toBe(`${server.url}/services/storefront?env=PROD`);
    await page.getByText("1 live process", { exact: true }).waitFor();
    const processes = page.getByRole("region", { name: "Processes" }).getByRole("listitem");
    await processes.filter({ hasText: "Crashed" }).waitFor();
    expect(await processes.filter({ hasText: /^Live/ }).count()).toBe(1);
    await page.getByRole("img", { name: /^1 failing events, most from/ }).waitFor();
    await page
      .getByRole("region", { name: "Open incidents" })
      .getByRole("link", { name: /reading 'total'/ })
      .waitFor();
    await page.getByText("Show these figures as a table").click();
    await page.getByRole("region", { name: "Figures by time" }).getByRole("columnheader", { name: "Memory" }).waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("are shown over the chosen time, which is in the address", async () => {
    await page.getByRole("navigation", { name: "Time range" }).getByRole("link", { name: "Hour", exact: true }).click();
    await page.getByText("Failing events per minute").waitFor();
    expect(page.url()).toBe(`${server.url}/services/storefront?env=PROD&span=1h`);
    await page.goto(`${server.url}/services/nothing`);
    await page.getByText("No telemetry of this service is kept").waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("make incidents the first page of a new organization from then on", async () => {
    await page.goto(server.url);
    await page.getByRole("heading", { name: "Incidents", exact: true }).waitFor();
    expect(page.url()).toBe(`${server.url}/incidents`);
  });
});

describe("the accuracy", () => {
  it("explains how verdicts come about while there are none", async () => {
    await page.getByRole("link", { name: "Accuracy" }).click();
    await page.getByText("Reports are judged in three ways").waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("shows how accurate reports were once someone has judged one", async () => {
    await page.getByRole("link", { name: "Incidents", exact: true }).click();
    await page.getByRole("link", { name: /reading 'total'/ }).click();
    await page.getByRole("heading", { name: "Root cause" }).waitFor();
    await page.getByRole("button", { name: "Yes" }).click();
    await page.getByText("Thank you").waitFor();
    await page.goto(`${server.url}/accuracy`);
    await page.getByText("of the judged reports (1 report) were right").waitFor();
    await page.getByRole("img", { name: /100% right/ }).waitFor();
    await page.getByRole("region", { name: "Figures by category" }).getByText("1 right").waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
  });
});

describe("what an owner deletes", () => {
  it("disappears from the page after a confirmation, an incident first and then its service", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("link", { name: "Incidents", exact: true }).click();
    await page.getByRole("link", { name: /reading 'total'/ }).click();
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    const asked = page.getByRole("dialog");
    await asked.getByText("This can't be undone.").waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await asked.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("Incident deleted").waitFor();
    await page.getByRole("heading", { name: "Incidents", exact: true }).waitFor();
    expect(await page.getByRole("link", { name: /reading 'total'/ }).count()).toBe(0);
    await Promise.all(programs.map(end));
    await page.getByRole("link", { name: "Services", exact: true }).click();
    await page.getByRole("button", { name: "Delete storefront" }).click();
    await asked.getByText("Its telemetry and its incidents will be deleted").waitFor();
    await asked.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("storefront deleted").waitFor();
    await page.getByText("No telemetry in the last 24 hours").waitFor();
  });

  it("leaves nothing in the console, and sends requests only to the service", () => {
    expect(ada.noticed.filter((line) => !isRefusal(line))).toEqual([]);
  });
});
