import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventSubject, exception, frameAt, investigated, reportedEvent } from "@whence/engine/testing";
import { dayMs, type Report } from "@whence/protocol";
import { startVendorServer, type VendorServer } from "@whence/vendors/testing/http/vendor-server";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkoutLineHistory } from "../../src/changes/checkout-line-history.ts";
import { firstLineHistory, type LineHistory } from "../../src/changes/line-history.ts";
import { lineHistoryCollector } from "../../src/changes/line-history-collector.ts";
import { codeHostLineHistory } from "../../src/code-hosts/code-host-line-history.ts";
import { configuredCheckouts } from "../../src/sources/configured-checkouts.ts";
import { withCode } from "../../src/sources/service-sources.ts";
import { silent, startTestService, type TestService } from "../test-service.ts";

const before = "function total(order) {\n  return 1;\n}\n";
const code = "function total(order) {\n  return order.items.length;\n}\n";
const path = "src/total.js";
const program = { "/srv/orders/src/total.js": code };
const event = reportedEvent({
  exceptions: [
    exception("TypeError", "Cannot read properties of undefined (reading 'length')", [
      frameAt(program, "/srv/orders/src/total.js", "order.items.length", "total"),
    ]),
  ],
});
const ago = (days: number) => new Date(Date.parse(event.timestamp) - days * dayMs).toISOString();
const release = "1.4.2";
let service: TestService;
let vendor: VendorServer;
let scopeId: string;
let folder: string;

beforeAll(async () => {
  [service, vendor] = await Promise.all([startTestService(), startVendorServer()]);
});
afterAll(() => Promise.all([service.close(), vendor.close()]));
beforeEach(async () => {
  const now = new Date(service.clock.now);
  scopeId = (await service.control.organizations.ensure({ slug: crypto.randomUUID(), name: "acme", now })).id;
  folder = await mkdtemp(join(tmpdir(), "whence-lines-"));
  await mkdir(join(folder, "src"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function commit(author: string, subject: string, at: string, text: string): Promise<void> {
  await writeFile(join(folder, path), text);
  const env = { ...process.env, GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at };
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", `user.name=${author}`, "-c", "user.email=a@example.com", ...args], {
      ...{ cwd: folder, env, stdio: "ignore" },
    });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", subject);
  git("tag", "-f", release);
}

async function reportWith(
  history: (checkouts: Parameters<typeof checkoutLineHistory>[0]) => LineHistory,
): Promise<Report> {
  const slug = (await service.control.organizations.slug(scopeId)) ?? "";
  const checkouts = [{ organization: slug, service: "orders", folder }];
  const sources = configuredCheckouts(checkouts, { control: service.control, logger: silent });
  const subject = await withCode(eventSubject(event), scopeId, { sources, logger: silent });
  const collector = lineHistoryCollector(subject, { scopeId, lineHistory: firstLineHistory([history(checkouts)]) });
  return (await investigated(subject, [collector])).report;
}

const ofCheckout = () => reportWith((checkouts) => checkoutLineHistory(checkouts, service.control));

describe("the line of the root cause in a git checkout", () => {
  it("is shown with the commit that last changed it", async () => {
    await commit("Ada", "add totals", ago(400), before);
    await commit("Grace", "count items", ago(2), code);
    const report = await ofCheckout();
    expect(report.root_cause.location).toMatchObject({ line: 2 });
    expect(report.detailed_analysis).toMatch(
      /line 2 of `src\/total\.js` last changed at \S+Z, in commit `[0-9a-f]{7}` by `Grace`: `count items`/i,
    );
  });

  it.each([
    ["a week", 7, true],
    ["more than a week", 7.01, false],
  ])("is shown with that commit up to a week before the first failure: %s", async (_, days, isShown) => {
    await commit("Grace", "count items", ago(days), code);
    expect((await ofCheckout()).detailed_analysis.includes("count items")).toBe(isShown);
  });

  it("isn't shown with a commit that changed other lines, or that came after the failure", async () => {
    await commit("Ada", "count items", ago(400), code);
    await commit("Grace", "say more", ago(1), `${code}// more\n`);
    expect((await ofCheckout()).detailed_analysis).not.toContain("last changed");
    await commit("Grace", "rewrite", ago(-1), code.replace("return order", "return  order"));
    expect((await ofCheckout()).detailed_analysis).not.toContain("last changed");
  });
});

describe("the line of the root cause at a code host", () => {
  const commitId = "3f2a91c".padEnd(40, "0");
  const repository = "/api/v4/projects/acme/orders/repository";
  const gitlab = () => ({ clientId: "id", clientSecret: "secret", url: vendor.url });
  const ofHost = () =>
    reportWith(() => codeHostLineHistory(service.control, { ...vendor.context, applications: { gitlab: gitlab() } }));

  beforeEach(async () => {
    await commit("Ada", "elsewhere", ago(400), code);
    await service.control.scope(scopeId).integrations.connect({
      ...{ kind: "gitlab", vendor: "GitLab", belongsTo: "acme", inputs: {} },
      ...{ credentials: { access_token: "t" }, by: { id: "usr_ada", name: "Ada" }, now: new Date(service.clock.now) },
    });
  });

  it("is shown with the commit that last changed it", async () => {
    const blamed = { id: "9".repeat(40), message: "count items\n\nmore", author_name: "Grace", committed_date: ago(1) };
    const answers: Readonly<Record<string, unknown>> = {
      "/api/v4/projects": [{ path: "orders", path_with_namespace: "acme/orders" }],
      [`${repository}/tags/${release}`]: { commit: { id: commitId } },
      [`${repository}/files/${path}/blame`]: [{ commit: blamed, lines: ["", "", ""] }],
    };
    vendor.answer(({ url }) => {
      const body = answers[decodeURIComponent(url.pathname)];
      return body === undefined ? { status: 404 } : { body };
    });
    expect((await ofHost()).detailed_analysis).toContain("in commit `9999999` by `Grace`: `count items`");
  });

  it("is listed as not checked when the host fails", async () => {
    vendor.answer(() => ({ status: 401 }));
    const report = await ofHost();
    expect(report.detailed_analysis).not.toContain("last changed");
    expect(report.not_checked).toContain(
      "GitLab: it rejected the credentials (401): connect it again with valid ones.",
    );
  });
});
