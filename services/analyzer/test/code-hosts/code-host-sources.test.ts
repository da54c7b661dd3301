import type { AnnouncedFailure } from "@whence/engine";
import {
  announced,
  announcedSubject,
  eventSubject,
  exception,
  investigated,
  reportedEvent,
} from "@whence/engine/testing";
import { startVendorServer, type VendorServer } from "@whence/vendors/testing/http/vendor-server";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { codeHostSources, issueSources } from "../../src/code-hosts/code-host-sources.ts";
import { openTree, withCode } from "../../src/sources/service-sources.ts";
import { firstProvider } from "../../src/sources/source-provider.ts";
import { silent, startTestService, type TestService } from "../test-service.ts";

const kind = "gitlab";
const commitId = "3f2a91c".padEnd(40, "0");
const by = { id: "usr_ada", name: "Ada" };
let service: TestService;
let vendor: VendorServer;
let scopeId: string;

beforeAll(async () => {
  [service, vendor] = await Promise.all([startTestService(), startVendorServer()]);
});
afterAll(() => Promise.all([service.close(), vendor.close()]));
beforeEach(async () => {
  const now = new Date(service.clock.now);
  scopeId = (await service.control.organizations.ensure({ slug: crypto.randomUUID(), name: "acme", now })).id;
});

const project = (path: string) => `/api/v4/projects/${path}/repository`;
const tree = ["src/stock.ts", ".env", "node_modules/express/index.js", "logo.png"];
const file = { size: 11, content: Buffer.from("export {};\n").toString("base64") };

function answerFor(path: string, more: Readonly<Record<string, unknown>> = {}): void {
  const answers: Readonly<Record<string, unknown>> = {
    "/api/v4/projects": [{ path: "orders", path_with_namespace: "acme/orders" }],
    [`${project(path)}/tags/v2.0.0`]: { commit: { id: commitId } },
    [`${project(path)}/tree`]: tree.map((one) => ({ path: one, type: "blob" })),
    [`${project(path)}/files/src/stock.ts`]: file,
    ...more,
  };
  vendor.answer(({ url }) => {
    const body = answers[decodeURIComponent(url.pathname)];
    return body === undefined ? { status: 404 } : { body };
  });
}

const integrations = () => service.control.scope(scopeId).integrations;
const connect = (inputs: Readonly<Record<string, string>> = {}) =>
  integrations().connect({
    ...{ kind, vendor: "GitLab", belongsTo: "acme" },
    inputs,
    credentials: { access_token: "t" },
    by,
    now: new Date(service.clock.now),
  });
const provider = (withinMs?: number) => {
  const gitlab = { clientId: "id", clientSecret: "secret", url: vendor.url };
  return firstProvider([codeHostSources(service.control, { ...vendor.context, applications: { gitlab } }, withinMs)]);
};
const failures: string[] = [];
const open = (of = scopeId) =>
  provider().open({ scopeId: of, service: "orders", release: "orders@2.0.0" }, (from, why) =>
    failures.push(`${from}: ${why}`),
  );

describe("the code of a connected code host", () => {
  it("is that of the release's commit, without other files, in the repository with the service's name", async () => {
    answerFor("acme/orders");
    await connect();
    const sources = await open();
    expect(await sources?.paths()).toEqual(["src/stock.ts"]);
    expect(await sources?.read("src/stock.ts", 100)).toEqual({
      ...{ outcome: "read", text: "export {};\n", version: "GitLab, v2.0.0" },
    });
    const from = vendor.requests.length;
    expect(await sources?.read(".env", 100)).toEqual({ outcome: "absent" });
    expect(vendor.requests.length).toBe(from);
  });

  it("is that of the repository that people assigned to the service", async () => {
    answerFor("acme/monorepo");
    await connect({ repositories: JSON.stringify({ orders: "acme/monorepo" }) });
    expect(await (await open())?.paths()).toEqual(["src/stock.ts"]);
    await connect({ repositories: JSON.stringify({ payments: "acme/monorepo" }) });
    expect(await open()).toBeNull();
  });

  it("is that of the commit that the release was reported with", async () => {
    answerFor("acme/orders");
    await connect();
    const reported = "7".repeat(40);
    const live = { service: "orders", release: "2.0.0", env: "PROD", commit: reported, url: null };
    await service.control
      .scope(scopeId)
      .releases.report({ ...live, reportedBy: "key_ci" }, new Date(service.clock.now), 10);
    expect(await (await open())?.read("src/stock.ts", 100)).toMatchObject({ version: "GitLab, v2.0.0" });
    answerFor("acme/orders", { [`${project("acme/orders")}/commits/${reported}`]: { id: reported } });
    expect(await (await open())?.read("src/stock.ts", 100)).toMatchObject({ version: "GitLab, 777777777777" });
  });

  it("is never another organization's", async () => {
    answerFor("acme/orders");
    await connect();
    const now = new Date(service.clock.now);
    const other = await service.control.organizations.ensure({ slug: crypto.randomUUID(), name: "other", now });
    expect(await open(other.id)).toBeNull();
  });

  it("is missing when the host refuses, and the reason is recorded with the connection", async () => {
    vendor.answer(() => ({ status: 401 }));
    await connect();
    expect(await open()).toBeNull();
    expect(await integrations().list()).toMatchObject([
      { failed: { reason: "GitLab rejected the credentials (401): connect it again with valid ones" } },
    ]);
  });

  it("is listed as not checked when the host refuses", async () => {
    vendor.answer(() => ({ status: 401 }));
    await connect();
    const subject = eventSubject(reportedEvent({ exceptions: [exception("Error", "boom", [])] }));
    const { report } = await investigated(await withCode(subject, scopeId, { sources: provider(), logger: silent }));
    expect(report.not_checked).toContain(
      "GitLab: it rejected the credentials (401): connect it again with valid ones.",
    );
  });

  it("is read by a model until its run ends, however long an investigation may read it", async () => {
    answerFor("acme/orders", { [`${project("acme/orders")}/tags/v1.4.2`]: { commit: { id: commitId } } });
    await connect();
    const subject = eventSubject(reportedEvent({ exceptions: [exception("Error", "boom", [])] }));
    const sources = { sources: provider(3_000), logger: silent };
    const running = new AbortController();
    const model = await openTree(subject, scopeId, sources, running.signal);
    const investigation = await openTree(subject, scopeId, sources);
    const read = { outcome: "read", text: "export {};\n" };
    expect(await investigation?.read("src/stock.ts", 100)).toMatchObject(read);
    await expect.poll(() => investigation?.read("src/stock.ts", 100)).toEqual({ outcome: "absent" });
    expect(await model?.read("src/stock.ts", 100)).toMatchObject(read);
    running.abort(new DOMException("The run ended.", "TimeoutError"));
    expect(await model?.read("src/stock.ts", 100)).toEqual({ outcome: "absent" });
  });

  it("is absent where the host fails for a file, which is reported", async () => {
    answerFor("acme/orders");
    await connect();
    const sources = await open();
    vendor.answer(() => ({ status: 500 }));
    expect(await sources?.read("src/stock.ts", 100)).toEqual({ outcome: "absent" });
    expect(failures.at(-1)).toMatch(/^GitLab: GitLab /);
  });
});

describe("the repository of an issue", () => {
  const at = "2026-03-01T10:00:00.000Z";
  const page = () => `${vendor.url}/acme/shop/-/issues/17`;
  const code = "def total(cart):\n    return cart['items']\n";
  const asked = `Orders fail\n\n\`\`\`\nTraceback (most recent call last):\n  File "/app/src/cart.py", line 2, in total\n    return cart['items']\nKeyError: 'items'\n\`\`\``;
  const context = () => {
    const gitlab = { clientId: "id", clientSecret: "secret", url: vendor.url };
    const outbound = { ...vendor.context, applications: { gitlab } };
    return { sources: provider(), issueSources: issueSources(service.control, outbound), logger: silent };
  };
  const files = (commit = commitId) => ({
    [`${project("acme/shop")}/commits`]: [{ id: commit }],
    [`${project("acme/shop")}/tree`]: [{ path: "src/cart.py", type: "blob" }],
    [`${project("acme/shop")}/files/src/cart.py`]: {
      ...{ size: code.length, content: Buffer.from(code).toString("base64") },
    },
  });
  const issueOf = (where: Partial<AnnouncedFailure> = {}) =>
    announcedSubject(asked, { ...announced, service: null, at, page: page(), ...where });

  it("is read as it was when the issue was opened", async () => {
    answerFor("acme/orders", files());
    await connect();
    const { report } = await investigated(await withCode(issueOf(), scopeId, context()));
    expect(vendor.requests.map(({ url }) => url.searchParams.get("until"))).toContain(at);
    expect(report.evidence).toContainEqual(
      expect.objectContaining({ source: expect.objectContaining({ version: "GitLab, 3f2a91c00000" }) }),
    );
    expect(report.root_cause.location).toMatchObject({ file: "/app/src/cart.py", line: 2, function: "total" });
  });

  it("is read where the release of the failing service has no code", async () => {
    answerFor("acme/checkout", files());
    await connect();
    const read = async (where: Partial<AnnouncedFailure>) => {
      const { input } = await withCode(issueOf(where), scopeId, context());
      return input.kind === "text" && input.files.map(({ name }) => name);
    };
    expect(await read({ service: "checkout", release: "9.9.9" })).toEqual(["/app/src/cart.py"]);
  });

  it("isn't read for a page of another host, a text without a stack, or another organization", async () => {
    answerFor("acme/orders", files());
    await connect();
    const from = vendor.requests.length;
    const elsewhere = issueOf({ page: "https://gitlab.com/acme/shop/-/issues/17" });
    expect(await withCode(elsewhere, scopeId, context())).toMatchObject({ input: { files: [] } });
    const vague = { ...issueOf(), input: { ...issueOf().input, errorLog: "It is slow." } } as const;
    await withCode(vague, scopeId, context());
    const now = new Date(service.clock.now);
    const other = await service.control.organizations.ensure({ slug: crypto.randomUUID(), name: "other", now });
    await withCode(issueOf(), other.id, context());
    expect(vendor.requests.length).toBe(from);
  });
});
