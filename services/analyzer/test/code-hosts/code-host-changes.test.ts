import type { DeployFact } from "@whence/engine";
import { eventSubject, exception, investigated, reportedEvent } from "@whence/engine/testing";
import { startVendorServer, type VendorServer } from "@whence/vendors/testing/http/vendor-server";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { changeCollector } from "../../src/changes/change-collector.ts";
import { firstChanges } from "../../src/changes/release-changes.ts";
import { codeHostChanges } from "../../src/code-hosts/code-host-changes.ts";
import { startTestService, type TestService } from "../test-service.ts";

const kind = "gitlab";
const by = { id: "usr_ada", name: "Ada" };
const [before, after] = ["1".repeat(40), "2".repeat(40)];
const { signal } = new AbortController();
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
  await service.control.scope(scopeId).integrations.connect({
    ...{ kind, vendor: "GitLab", belongsTo: "acme", inputs: {}, credentials: { access_token: "t" }, by, now },
  });
});

const commit = (id: string, title: string, created_at: string) => ({ id, title, author_name: "Ada", created_at });
const rename = commit(after, "Rename amount", "2026-03-01T11:00:00.000Z");
const earlier = commit("3".repeat(40), "Tidy up", "2026-03-01T10:00:00.000Z");
const diff =
  "@@ -4,3 +4,3 @@ export function body(payment) {\n   return {\n-    amount: payment.amount,\n+    total: payment.amount,\n   };\n";

function answerWith(commits: readonly object[], diffs: readonly object[]): void {
  const repository = "/api/v4/projects/acme/payments/repository";
  const answers: Readonly<Record<string, unknown>> = {
    "/api/v4/projects": [{ path: "payments", path_with_namespace: "acme/payments" }],
    [`${repository}/tags/1.0.0`]: { commit: { id: before } },
    [`${repository}/tags/2.0.0`]: { commit: { id: after } },
    [`${repository}/compare`]: { commits, diffs },
  };
  vendor.answer(({ url }) => {
    const body = answers[decodeURIComponent(url.pathname)];
    return body === undefined ? { status: 404 } : { body };
  });
}

const provider = () => {
  const gitlab = { clientId: "id", clientSecret: "secret", url: vendor.url };
  return codeHostChanges(service.control, { ...vendor.context, applications: { gitlab } });
};
const between = (from = "1.0.0", to = "2.0.0") =>
  provider().between({ scopeId, service: "payments", from, to }, signal, () => undefined);
const at = "2026-03-01T11:05:00.000Z";
const none = { services: [], routes: [], hosts: [], releases: [] };
const totals = { events: 1, firstSeen: at, lastSeen: at, ...none };
const deploy: DeployFact = {
  ...{ service: "payments", release: "2.0.0", previous: "1.0.0", at: "2026-03-01T11:04:00.000Z", verdict: "near" },
  ...{ reason: { kind: "soon-after" }, firstSeen: at, counts: null },
  ...{ own: false, answeredLast: true },
};

describe("what a connected code host knows about two releases", () => {
  it("is the commits between them, newest first, and the lines that differ", async () => {
    answerWith([earlier, rename], [{ old_path: "src/body.js", new_path: "src/body.js", diff }]);
    expect(await between()).toMatchObject({
      version: "GitLab, 1.0.0..2.0.0",
      commits: [{ subject: "Rename amount", author: "Ada" }, { subject: "Tidy up" }],
      files: [
        {
          path: "src/body.js",
          hunks: [{ removed: ["    amount: payment.amount,"], added: ["    total: payment.amount,"] }],
        },
      ],
      ...{ filesChanged: 1, isWhole: true },
    });
  });

  it("names the commit of a line where there is only one", async () => {
    answerWith([rename], [{ old_path: "src/body.js", new_path: "src/body.js", diff }]);
    const changes = await between();
    const [file] = changes?.files ?? [];
    const [hunk] = file?.hunks ?? [];
    expect(file && hunk && changes?.commitOf?.(file.path, hunk)).toMatchObject({ id: after });
  });

  it("says when it is incomplete, for example for a file whose lines the host doesn't return", async () => {
    answerWith([rename], [{ old_path: "src/body.js", new_path: "src/body.js", diff: "" }]);
    expect(await between()).toMatchObject({ files: [], filesChanged: 1, isWhole: false });
  });

  it("is nothing when one of them is neither a tag nor a commit there", async () => {
    answerWith([rename], []);
    expect(await between("0.9.0")).toBeNull();
  });

  it("is nothing when the host fails, which is recorded with the connection", async () => {
    vendor.answer(() => ({ status: 401 }));
    expect(await between()).toBeNull();
    const [listed] = await service.control.scope(scopeId).integrations.list();
    expect(listed?.failed?.reason).toContain("GitLab");
  });

  it("is listed as not checked when the host fails", async () => {
    vendor.answer(() => ({ status: 401 }));
    const judged = () => Promise.resolve([{ deploy, data: { releases: [], totals } }]);
    const collectors = [changeCollector(judged, { scopeId, changes: firstChanges([provider()]) })];
    const { report } = await investigated(
      eventSubject(reportedEvent({ exceptions: [exception("Error", "boom", [])] })),
      collectors,
    );
    expect(report.not_checked).toContain(
      "GitLab: it rejected the credentials (401): connect it again with valid ones.",
    );
  });
});
