import { createHash } from "node:crypto";
import { type Incident, incidentSchema, type Patch, type Report } from "@whence/protocol";
import {
  type EmulatedGitHub,
  startEmulatedGitHub,
  writePermissions,
} from "@whence/vendors/testing/github/emulated-github";
import { GitLabProjectDouble } from "@whence/vendors/testing/gitlab/gitlab-project-double";
import { startVendorServer, type VendorServer } from "@whence/vendors/testing/http/vendor-server";
import { createTwoFilesPatch } from "diff";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { endedIncident, reportWith } from "../../ended-report.ts";
import {
  addKey,
  appUrl,
  makeOrganization,
  signInMember,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../../test-service.ts";

const file = "src/cart.ts";
const before = "export async function total(id: string) {\n  const cart = load(id);\n  return cart.items.length;\n}\n";
const after = before.replace("load(id)", "await load(id)");
const evidence = { location: { file, line: 2, function: "total" }, evidence_ids: ["e1"] };

function patchOf(text = before, changed = after, name = file, path = name.replace(/^\/+/, "")): Patch {
  return {
    ...{ kind: "missing-await", repair: "await", evidence_ids: ["e1"] },
    what: "Awaits `load(id)`, so what follows gets its value and its errors.",
    diff: createTwoFilesPatch(`a/${path}`, `b/${path}`, text, changed, undefined, undefined, { context: 3 }),
    files: [{ file: name, path, sha256: createHash("sha256").update(text).digest("hex") }],
  };
}

function patchedReport(patch: Patch | undefined, service = "orders", release = "2.0.0"): Report {
  const location = { ...evidence.location, file: patch?.files[0]?.file ?? file };
  return reportWith({
    root_cause_summary: "`total` (cart.ts:2) doesn't await `load(id)`, says @alice and fixes #7 [e1].",
    chain: [{ what: "it broke", service, release, ...evidence, location }],
    ...(patch ? { patch } : {}),
  });
}

let service: TestService;
let vendor: VendorServer;
let github: EmulatedGitHub;
let gitlab: GitLabProjectDouble;
let acme: TestOrganization;

const credentials = {
  gitlab: { vendor: "GitLab", inputs: {}, credentials: { access_token: "t" } },
  github: { vendor: "GitHub", inputs: { installation_id: "7", account: "ada" }, credentials: {} },
};
const connect = (kind: keyof typeof credentials, inputs: Readonly<Record<string, string>> = {}, to = acme) =>
  service.control.scope(to.id).integrations.connect({
    ...{ kind, belongsTo: "acme", ...credentials[kind], by: { id: "usr_ada", name: "Ada" } },
    inputs: { ...credentials[kind].inputs, ...inputs },
    now: new Date(service.clock.now),
  });

beforeAll(async () => {
  [vendor, github] = await Promise.all([startVendorServer(), startEmulatedGitHub(writePermissions)]);
  const applications = {
    github: github.app,
    gitlab: { clientId: "id", clientSecret: "secret", url: vendor.url },
  };
  const { mayReach, addressOf } = github.context;
  // The emulator compares times with its own clock.
  const context = { mayReach, clock: Date.now, ...(addressOf ? { addressOf } : {}), applications };
  service = await startTestService({}, false, {}, false, true, context);
});
afterAll(() => Promise.all([service.close(), vendor.close(), github.close()]));
beforeEach(async () => {
  acme = await makeOrganization(service, crypto.randomUUID());
  gitlab = new GitLabProjectDouble(vendor.url);
  vendor.answer(gitlab.answer);
});

const opened = (patch: Patch | undefined = patchOf(), ...owner: string[]) =>
  endedIncident(service, acme.id, patchedReport(patch, ...owner));
const ask = (id: string, headers: Record<string, string> = { cookie: acme.cookie }) =>
  service.app.inject({ method: "POST", url: `/api/incidents/${id}/pull-request`, headers, payload: {} });
const incidentOf = async (id: string): Promise<Incident> => incidentSchema.parse((await ask(id)).json());
const codeOf = async (id: string) => (await ask(id)).json().code;
const branchOf = (id: string) => `whence/incident-${id.replace("inc_", "")}`;
const posts = () => vendor.requests.filter(({ method }) => method === "POST").length;

describe("the pull request of an incident, at GitLab", () => {
  beforeEach(async () => {
    await connect("gitlab");
    gitlab.write("main", { [file]: before, "README.md": "Orders\n" });
  });

  it("is a draft with one commit on a branch of its own, which changes nothing else", async () => {
    const id = await opened();
    const main = gitlab.branches.get("main");
    const { pull_request: pullRequest, activity } = await incidentOf(id);
    expect(pullRequest).toEqual({
      ...{ vendor: "GitLab", repository: "acme/orders", number: 1, branch: branchOf(id) },
      ...{ url: `${vendor.url}/acme/orders/-/merge_requests/1`, opened_at: new Date(service.clock.now).toISOString() },
    });
    const { parent, message, files } = gitlab.head(branchOf(id)) ?? {};
    expect([String(files?.[file]), files?.["README.md"], parent]).toEqual([after, "Orders\n", main]);
    expect(message).toMatch(/^Awaits load\(id\), .*\n\nIncident: https:\/\/whence\.example\.com\/incidents\/inc_/);
    expect(gitlab.branches.get("main")).toBe(main);
    expect(activity).toMatchObject([{ kind: "pull-request", by: { kind: "member" } }]);
    const audit = await service.app.inject({ url: "/api/audit?limit=1", headers: { cookie: acme.cookie } });
    expect(audit.json().entries).toMatchObject([{ action: "incident.pull-request-opened", target: id }]);
  });

  it("says the cause, the change, how it was checked, and where the incident is, without a mention or a reference", async () => {
    const id = await opened();
    await incidentOf(id);
    const { title, description = "" } = gitlab.mergeRequests[0] ?? {};
    expect(title).toBe("Draft: Awaits load(id), so what follows gets its value and its errors");
    expect(description).toMatch(/^\*\*total \(`cart\.ts:2`\) doesn't await/);
    expect(description).toContain("**Change:** Awaits `load(id)`, so what follows");
    expect(description).toContain("**Checked:** The files on main are exactly those that the report is about.");
    expect(description).toContain("**Not checked:** The change wasn't run.");
    expect(description).toContain(`(${appUrl}/incidents/${id})`);
    expect(description.replaceAll(/`[^`]*`/g, "")).not.toMatch(/@alice|#7|\[e1\]/);
  });

  it("is the same one when it is asked for again, without asking GitLab", async () => {
    const id = await opened();
    const first = await incidentOf(id);
    const asked = vendor.requests.length;
    expect((await incidentOf(id)).pull_request).toEqual(first.pull_request);
    expect(vendor.requests.length).toBe(asked);
    expect(first.activity).toHaveLength(1);
  });

  it("is found when an earlier attempt opened it without getting the answer", async () => {
    const id = await opened();
    let isLost = true;
    vendor.answer((request, response) => {
      const answer = gitlab.answer(request);
      if (!isLost || request.method !== "POST" || !request.url.pathname.endsWith("/merge_requests")) return answer;
      isLost = false;
      response.destroy();
      return undefined;
    });
    expect((await incidentOf(id)).pull_request).toMatchObject({ number: 1 });
    expect(gitlab.mergeRequests).toHaveLength(1);
  });

  it("continues from the branch of an attempt that got no further, and overwrites no other branch", async () => {
    const [id, other] = [await opened(), await opened()];
    gitlab.write(branchOf(id), { [file]: after }, "Earlier", gitlab.branches.get("main"));
    const earlier = gitlab.branches.get(branchOf(id));
    expect((await incidentOf(id)).pull_request).toMatchObject({ number: 1 });
    gitlab.write(branchOf(other), { [file]: "by hand\n" });
    expect(await codeOf(other)).toBe("WHENCE_ERR_BRANCH_TAKEN");
    expect(gitlab.branches.get(branchOf(id))).toBe(earlier);
    expect(gitlab.mergeRequests).toHaveLength(1);
  });

  it("is opened where the file changed elsewhere, and says so", async () => {
    gitlab.write("main", { [file]: `${before}\nexport const later = 1;\n` });
    const id = await opened();
    await incidentOf(id);
    expect(String(gitlab.head(branchOf(id))?.files[file])).toBe(`${after}\nexport const later = 1;\n`);
    expect(gitlab.mergeRequests[0]?.description).toMatch(
      /applies to main without fuzz, though `src\/cart\.ts` changed/,
    );
  });

  it("changes the file of the repository that a program names by another path", async () => {
    const id = await opened(patchOf(before, after, "/srv/app/src/cart.ts"));
    await incidentOf(id);
    expect(String(gitlab.head(branchOf(id))?.files[file])).toBe(after);
  });

  it("changes the program's file, not another one at the path that it has in an uploaded folder", async () => {
    const own = `services/orders/${file}`;
    const other = before.replace("return cart", "return 1 + cart");
    gitlab.write("main", { [file]: other, [own]: before });
    const id = await opened(patchOf(before, after, `/srv/${own}`, file));
    await incidentOf(id);
    const files = gitlab.head(branchOf(id))?.files ?? {};
    expect([String(files[own]), String(files[file])]).toEqual([after, other]);
  });

  it("is opened in the repository of the issue that asked, where no service is known", async () => {
    const asked = { kind: "conversation", source: "gitlab", sender: "GitLab", source_id: "als_1" } as const;
    const openedFrom = async (url: string) => {
      const trigger = { ...asked, thread: "92", url, author: "ada", at: "2026-03-01T10:00:00.000Z" };
      const { chain, ...report } = patchedReport(patchOf());
      const unowned = chain.map(({ service: _, release: __, ...link }) => link);
      return endedIncident(service, acme.id, { ...report, chain: unowned }, trigger);
    };
    const id = await openedFrom(`${vendor.url}/acme/orders/-/issues/17`);
    expect((await incidentOf(id)).pull_request).toMatchObject({ vendor: "GitLab", repository: "acme/orders" });
    expect(String(gitlab.head(branchOf(id))?.files[file])).toBe(after);
    const elsewhere = await openedFrom("https://gitlab.example.com/acme/orders/-/issues/17");
    expect(await codeOf(elsewhere)).toBe("WHENCE_ERR_CODE_HOST_NOT_CONNECTED");
  });

  it("keeps line endings and a byte order mark", async () => {
    const windows = (text: string) => text.replaceAll("\n", "\r\n");
    gitlab.write("main", { [file]: `\uFEFF${windows(before)}` });
    const id = await opened(patchOf(windows(before), windows(after)));
    await incidentOf(id);
    expect(String(gitlab.head(branchOf(id))?.files[file])).toBe(`\uFEFF${windows(after)}`);
  });

  it.each<[string, Record<string, string | Buffer>, string]>([
    ["other code", { [file]: "export const total = 0;\n" }, "WHENCE_ERR_PATCH_CODE_DIFFERS"],
    ["the change already", { [file]: after }, "WHENCE_ERR_PATCH_CODE_DIFFERS"],
    ["other line endings", { [file]: before.replaceAll("\n", "\r\n") }, "WHENCE_ERR_PATCH_LINE_ENDINGS"],
    ["a binary file", { [file]: Buffer.from([0xff, 0xfe, 0x00]) }, "WHENCE_ERR_PATCH_FILE_NOT_TEXT"],
    ["a larger file", { [file]: "x".repeat(1_048_577) }, "WHENCE_ERR_PATCH_FILE_NOT_TEXT"],
  ])("isn't opened where the default branch has %s, and nothing is written", async (_, files, code) => {
    gitlab.write("main", files);
    const written = posts();
    expect(await codeOf(await opened())).toBe(code);
    expect(posts()).toBe(written);
  });

  it("isn't opened where the file moved on since the release, or isn't there", async () => {
    gitlab.tags.set("v2.0.0", gitlab.branches.get("main") ?? "");
    gitlab.write("main", { [file]: "export const total = 0;\n" });
    const answer = await ask(await opened());
    expect(answer.json().code).toBe("WHENCE_ERR_PATCH_OUTDATED");
    expect(answer.json().detail).toContain("src/cart.ts has changed on main since v2.0.0");
    expect(await codeOf(await opened(patchOf(before, after, "lib/none.ts")))).toBe("WHENCE_ERR_PATCH_FILE_MISSING");
  });

  it("isn't opened with a token that may only read, which says what it needs", async () => {
    gitlab.scope = "read_api";
    const answer = await ask(await opened());
    expect([answer.statusCode, answer.json().code]).toEqual([409, "WHENCE_ERR_PULL_REQUEST_REFUSED"]);
    expect(answer.json().detail).toMatch(/GitLab doesn't let .* \(403\): set WHENCE_GITLAB_SCOPE to api/);
    expect(gitlab.branches.size).toBe(1);
  });

  it("isn't opened while GitLab fails", async () => {
    vendor.answer(() => ({ status: 500 }));
    const answer = await ask(await opened());
    expect(answer.json()).toMatchObject({ code: "WHENCE_ERR_CODE_HOST_FAILED" });
  });

  it("is opened by members alone: by no key, and by no member of another organization", async () => {
    const id = await opened();
    const requests = vendor.requests.length;
    for (const scope of ["send", "analyze", "read", "full"] as const) {
      const answer = await ask(id, { "x-api-key": await addKey(service, acme.id, scope) });
      expect([answer.statusCode, answer.json().code]).toEqual([401, "WHENCE_ERR_NOT_SIGNED_IN"]);
    }
    const other = await makeOrganization(service, crypto.randomUUID());
    expect((await ask(id, { cookie: other.cookie })).statusCode).toBe(404);
    expect(vendor.requests.length).toBe(requests);
    const member = await signInMember(service, acme.id, `${crypto.randomUUID()}@acme.example`, "member");
    expect((await ask(id, { cookie: member })).statusCode).toBe(200);
  });
});

describe("the pull request of an incident, at GitHub as emulated by emulate", () => {
  it("is a draft with one commit on a branch of its own", async () => {
    await github.write("src/cart.ts", before);
    await connect("github");
    const id = await opened(patchOf(), "shop");
    const { pull_request: pullRequest } = await incidentOf(id);
    expect(pullRequest).toMatchObject({ vendor: "GitHub", repository: "ada/shop", branch: branchOf(id) });
    expect(await github.ada("GET", `/pulls/${pullRequest?.number}`)).toMatchObject({
      ...{ draft: true, head: { ref: branchOf(id) }, base: { ref: "main" } },
      body: expect.stringContaining("**Checked:** The files on main are exactly those that the report is about."),
    });
    const content = await github.ada("GET", `/contents/${file}?ref=${encodeURIComponent(branchOf(id))}`);
    expect(content).toMatchObject({ content: Buffer.from(after).toString("base64") });
    expect((await incidentOf(id)).pull_request).toEqual(pullRequest);
  });
});

describe("an incident without a pull request to open", () => {
  it("has no patch, or no connected code host with its service's code", async () => {
    const [without, unconnected] = [await endedIncident(service, acme.id, patchedReport(undefined)), await opened()];
    expect(await codeOf(without)).toBe("WHENCE_ERR_PATCH_MISSING");
    expect(await codeOf(unconnected)).toBe("WHENCE_ERR_CODE_HOST_NOT_CONNECTED");
    await connect("gitlab");
    expect(await codeOf(await opened(patchOf(), "payments"))).toBe("WHENCE_ERR_CODE_HOST_NOT_CONNECTED");
    expect(await codeOf("inc_none")).toBe("WHENCE_ERR_INCIDENT_UNKNOWN");
  });
});
