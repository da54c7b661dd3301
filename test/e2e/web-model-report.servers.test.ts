import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type Script,
  type ScriptedServer,
  startScriptedServer,
} from "../../services/analyzer/test/model-run/scripted-server.ts";
import {
  type EmulatedGitHub,
  startEmulatedGitHub,
  writePermissions,
} from "../../services/vendors/test/github/emulated-github.ts";
import { GitLabProjectDouble } from "../../services/vendors/test/gitlab/gitlab-project-double.ts";
import { startVendorServer, type VendorServer } from "../../services/vendors/test/http/vendor-server.ts";
import { bootstrapKey, eventually, type ServerProcess } from "../servers/server-process.ts";
import { type GitHubFront, githubNames, startGitHubFront } from "./github-front.ts";
import { batchOf, exceptionEvent, sendBatch } from "./telemetry-batch.ts";
import {
  becomeOwner,
  isRefusal,
  type OpenedService,
  openService,
  problemsEverywhere,
  type WatchedPage,
} from "./web-page.ts";

const file = "src/cart.js";
const before = `async function load(id) {
  return { items: [id] };
}

export async function total(id) {
  const cart = load(id);
  return cart.items.length;
}
`;
const after = before.replace("load(id);", "await load(id);");
const message = "Cannot read properties of undefined (reading 'length')";
const sentence = "total benutzt das Versprechen von load, ohne darauf zu warten";

/** Reads the file, then names the place or answers the question about it. */
const script: Script = ({ request, body }) => {
  if (request === 0) return { call: "read_file", input: { file, from: 1, to: 8 } };
  const citations = [{ file, from: 6, to: 6, excerpt: "const cart = load(id);" }];
  if (body.includes("You answer one question"))
    return { call: "answer", input: { statements: [{ sentence, citations }] } };
  const place = { kind: "place", file, line: 6, function: "total", category: "missing-await", stance: "supports" };
  return { call: "propose", input: { findings: [{ ...place, sentence: "load isn't awaited", citations }] } };
};

let opened: OpenedService;
let model: ScriptedServer;
let vendor: VendorServer;
let gitlab: GitLabProjectDouble;
let github: EmulatedGitHub;
let front: GitHubFront;
let server: ServerProcess;
let ada: WatchedPage;
let page: Page;

beforeAll(async () => {
  [model, vendor, github] = await Promise.all([
    startScriptedServer("openai-compatible", script),
    startVendorServer(),
    startEmulatedGitHub(writePermissions),
  ]);
  const { addressOf = (url: string) => url } = github.context;
  front = await startGitHubFront(addressOf("https://api.github.com"), github.installation);
  gitlab = new GitLabProjectDouble(vendor.url);
  vendor.answer((request) => {
    const { pathname } = request.url;
    // https://docs.gitlab.com/api/oauth2/ and https://docs.gitlab.com/api/users/
    if (pathname === "/oauth/token") return { body: { access_token: "t", token_type: "Bearer", scope: "api" } };
    return pathname === "/api/v4/user" ? { body: { id: 1, username: "ada" } } : gitlab.answer(request);
  });
  const environment = {
    WHENCE_GITLAB_URL: vendor.url,
    WHENCE_GITLAB_CLIENT_ID: "id",
    WHENCE_GITLAB_CLIENT_SECRET: "secret",
    WHENCE_GITLAB_SCOPE: "api",
    WHENCE_GITHUB_APP_CLIENT_ID: github.app.clientId,
    WHENCE_GITHUB_APP_CLIENT_SECRET: github.app.clientSecret,
    WHENCE_GITHUB_APP_SLUG: github.app.slug,
    WHENCE_GITHUB_APP_PRIVATE_KEY: github.app.privateKey,
  };
  const { port, authority } = front;
  opened = await openService(environment, { names: githubNames, port, authority });
  ({ server, window: ada, page } = opened);
  await becomeOwner(page, server);
});
afterAll(async () => {
  await opened?.end();
  await front?.[Symbol.asyncDispose]();
  await Promise.all([model?.close(), vendor?.close(), github?.close()]);
});

/** Checks the page at every size, and continues at the widest. */
async function barriers(): Promise<string[]> {
  const found = await problemsEverywhere(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  return found;
}

/** Returns from a vendor, whose own pages the test's browser can't reach. */
async function authorize(kind: string, data: object): Promise<void> {
  const path = `${server.url}/api/integrations/${kind}/authorization`;
  const started = await page.request.post(path, { data });
  const { authorize_url: url } = z.object({ authorize_url: z.url() }).parse(await started.json());
  const state = new URL(url).searchParams.get("state") ?? "";
  await page.request.get(`${path}/callback?${new URLSearchParams({ code: "c", state })}`);
  const connected = await page.request.get(`${server.url}/api/integrations`);
  expect(await connected.text()).toContain(kind);
}

/** Has a service fail at the place, and opens its incident once the report is there. */
async function fail(service: string): Promise<void> {
  const at = `/app/${file}`;
  const frame = { file: at, function: "total", line: 7, column: 21, in_app: true };
  const stack = `TypeError: ${message}\n    at total (${at}:7:21)`;
  const event = {
    ...exceptionEvent("total", 1),
    message,
    exceptions: [{ type: "TypeError", message, stack, frames: [frame] }],
  };
  expect(await sendBatch(server.url, bootstrapKey, batchOf([event], { service, release: "2.0.0" }))).toBe(true);
  const listed = z.object({ incidents: z.array(z.object({ id: z.string(), status: z.string() })) });
  const id = await eventually("the report", async () => {
    const answer = await page.request.get(`${server.url}/api/incidents?service=${service}`);
    const [found] = listed.parse(await answer.json()).incidents;
    return found?.status === "completed" ? found.id : undefined;
  });
  await page.goto(`${server.url}/incidents/${id}`);
  await page.getByRole("heading", { name: "Root cause" }).waitFor();
}

describe("a member on the page of an incident", () => {
  beforeAll(async () => {
    gitlab.tags.set("2.0.0", gitlab.write("main", { [file]: before }));
    await authorize("gitlab", {});
    await page.goto(`${server.url}/settings/model`);
    await page.getByLabel("Provider").selectOption({ label: "OpenAI-compatible server" });
    await page.getByLabel("Address").fill(`${model.url}/v1`);
    await page.getByLabel("Model name").fill("scripted");
    await page.getByRole("button", { name: "Connect model" }).click();
    await page.getByText("Model saved").waitFor();
    await fail("orders");
  });

  it("reads what the model's tools answered, folded below each step", async () => {
    await page.getByRole("heading", { name: "Investigation steps" }).click();
    const steps = page.getByRole("list", { name: "Steps of the investigation" });
    await steps.getByText("Proposed 1 finding").waitFor();
    const step = steps.getByRole("listitem").filter({ hasText: "Run 2: read_file" });
    await step.getByText("What it answered").click();
    await step.getByText("6 |   const cart = load(id);").waitFor();
    expect(await barriers()).toEqual([]);
  });

  it("sees in the confidence that a run of the model that wasn't shown the report agrees", async () => {
    await page.reload();
    await page.getByText("How this is calculated").click();
    await page.getByText("A language model that hadn't seen this report names the same file first").first().waitFor();
  });

  it("asks a question, and reads the model's sentence with its quote", async () => {
    // The event loads after the report, and moves what is below it.
    await page.getByRole("tab", { name: "Stack trace" }).waitFor();
    const section = page.locator("details", { hasText: "Ask about this report" });
    await section.getByRole("heading", { name: "Ask about this report" }).click();
    await section.getByLabel("Question").fill("Was macht total falsch?");
    await section.getByRole("button", { name: "Ask" }).click();
    const answer = section.getByRole("status");
    await answer.getByRole("paragraph").first().waitFor();
    const said = await answer.textContent();
    expect(said).toContain(sentence);
    expect(said).toContain("const cart = load(id);");
    expect(await barriers()).toEqual([]);
  });

  it("opens the patch as a draft merge request at GitLab", async () => {
    const main = gitlab.branches.get("main");
    await page.getByRole("button", { name: "Open draft pull request" }).waitFor();
    expect(await barriers()).toEqual([]);
    await page.getByRole("button", { name: "Open draft pull request" }).click();
    const link = page.getByRole("link", { name: "acme/orders!1 on GitLab" }).first();
    await link.waitFor();
    expect(await link.getAttribute("href")).toBe(`${vendor.url}/acme/orders/-/merge_requests/1`);
    expect(gitlab.mergeRequests).toMatchObject([{ title: expect.stringMatching(/^Draft: /), target_branch: "main" }]);
    expect(String(gitlab.head(gitlab.mergeRequests[0]?.source_branch ?? "")?.files[file])).toBe(after);
    expect(gitlab.branches.get("main")).toBe(main);
    expect(await barriers()).toEqual([]);
  });

  it("opens the patch as a draft pull request at GitHub", async () => {
    const { commit } = await github.write(file, before);
    await github.ada("POST", "/git/refs", { ref: "refs/tags/2.0.0", sha: commit });
    await authorize("github", { account: "ada" });
    await fail("shop");
    await page.getByRole("button", { name: "Open draft pull request" }).click();
    const link = page.getByRole("link", { name: /ada\/shop#\d+ on GitHub/ }).first();
    await link.waitFor();
    const [draft] = z
      .array(z.object({ draft: z.boolean(), head: z.object({ ref: z.string() }), html_url: z.string() }))
      .parse(await github.ada("GET", "/pulls"));
    expect(draft).toMatchObject({ draft: true });
    expect(await link.getAttribute("href")).toBe(draft?.html_url);
    const changed = z
      .object({ content: z.string() })
      .parse(await github.ada("GET", `/contents/${file}?ref=${draft?.head.ref}`));
    expect(Buffer.from(changed.content, "base64").toString("utf8")).toBe(after);
  });

  it("gets nothing in the console but refusals that the page has shown, and asks only the service", () => {
    expect(ada.noticed.filter((line) => !isRefusal(line))).toEqual([]);
  });
});
