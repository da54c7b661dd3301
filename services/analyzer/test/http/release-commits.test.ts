import { limits } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changeLimits } from "../../src/changes/change-limits.ts";
import {
  addKey,
  makeOrganization,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../test-service.ts";

const path = "/api/0/organizations/anything";

let service: TestService;
let acme: TestOrganization;
let key: string;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
  key = await addKey(service, acme.id, "release");
});
afterAll(() => service.close());

const headers = () => ({ authorization: `Bearer ${key}` });
const announce = (version: string, projects: readonly string[] = ["shop"]) =>
  service.app.inject({ method: "POST", url: `${path}/releases/`, headers: headers(), payload: { version, projects } });
const setCommits = (version: string, commits: readonly object[], more: object = {}) =>
  service.app.inject({
    ...{ method: "PUT", url: `${path}/releases/${encodeURIComponent(version)}/`, headers: headers() },
    payload: { commits, ...more },
  });
const stored = (version: string) => service.control.scope(acme.id).releaseCommits.of("shop", [version]);

/** A commit as sentry-cli 3.8 sends it. */
function commit(changes: object = {}) {
  return {
    patch_set: [{ path: "src/cart.ts", type: "M" }],
    ...{ repository: "acme/shop", author_name: "Ada Lovelace", author_email: "ada@acme.example" },
    ...{ timestamp: "2026-03-01T12:00:00+02:00", message: "Rename amount\n\nIt was taken.", id: "1".repeat(40) },
    ...changes,
  };
}
const kept = {
  ...{ id: "1".repeat(40), author: "Ada Lovelace", subject: "Rename amount", at: "2026-03-01T10:00:00.000Z" },
  paths: ["src/cart.ts"],
};

describe("the commits of a release", () => {
  it("are kept with their author's name, subject, and files, and without the address", async () => {
    expect((await announce("shop@1")).json()).toMatchObject({ version: "shop@1", projects: [{ slug: "shop" }] });
    expect((await setCommits("shop@1", [commit()])).json()).toMatchObject({ version: "shop@1" });
    expect(await stored("shop@1")).toEqual([kept]);
  });

  it("may come with the services that have the release", async () => {
    expect((await setCommits("2", [commit()], { projects: ["shop"] })).statusCode).toBe(200);
    expect(await stored("2")).toEqual([kept]);
  });

  it("are refused when no service is known to have the release", async () => {
    const answer = await setCommits("unknown", [commit()]);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0]).toMatchObject({ loc: ["body", "projects"] });
    expect(answer.body).toContain("SENTRY_PROJECT");
  });

  it.each([
    ["no id of a commit", { id: "main" }],
    ["no time", { timestamp: undefined }],
  ])("are refused with %s", async (_, changes) => {
    await announce("3");
    expect((await setCommits("3", [commit(changes)])).statusCode).toBe(422);
    expect(await stored("3")).toEqual([]);
  });

  it("may lack an author, a message, and files", async () => {
    await announce("4");
    const bare = { author_name: null, author_email: null, message: null, patch_set: undefined };
    expect((await setCommits("4", [commit(bare)])).statusCode).toBe(200);
    expect(await stored("4")).toEqual([{ ...kept, author: "unknown", subject: "", paths: null }]);
  });

  it.each([
    [limits.fileNameLengthMax, ["x".repeat(limits.fileNameLengthMax)]],
    [limits.fileNameLengthMax + 1, null],
  ])(
    "are kept with a path of %i characters, which makes the files unknown when it is too long",
    async (length, paths) => {
      await announce("6");
      expect((await setCommits("6", [commit({ patch_set: [{ path: "x".repeat(length) }] })])).statusCode).toBe(200);
      expect(await stored("6")).toEqual([{ ...kept, paths }]);
    },
  );

  it("are limited: the newest are kept, and files only if all are known", async () => {
    const { commitsMax, setPathsMax } = changeLimits;
    const all = (count: number) =>
      Array.from({ length: count }, (_, index) => commit({ id: String(index).padStart(40, "0"), patch_set: [] }));
    const paths = (count: number) => Array.from({ length: count }, (_, index) => ({ path: `${index}.ts` }));
    await announce("5");
    await setCommits("5", all(commitsMax));
    expect((await stored("5")).map(({ paths: of }) => of)).toEqual(Array(commitsMax).fill([]));
    await setCommits("5", all(commitsMax + 1));
    expect((await stored("5")).map(({ paths: of }) => of)).toEqual(Array(commitsMax).fill(null));
    expect((await stored("5"))[0]?.id).toBe("0".repeat(40));
    await setCommits("5", [commit({ patch_set: paths(setPathsMax) })]);
    expect((await stored("5"))[0]?.paths).toHaveLength(setPathsMax);
    await setCommits("5", [commit({ patch_set: paths(setPathsMax) }), commit()]);
    expect((await stored("5")).map(({ paths: of }) => of)).toEqual([null, null]);
  });

  it("tell sentry-cli where those of the next release begin", async () => {
    const before = (version: string) =>
      service.app.inject({ url: `${path}/releases/${version}/previous-with-commits/`, headers: headers() });
    await announce("a", ["mail"]);
    expect((await before("a")).json()).toEqual({});
    await setCommits("a", [commit({ id: "a".repeat(40) })]);
    await announce("b", ["mail"]);
    expect((await before("b")).json()).toMatchObject({ version: "a", lastCommit: { id: "a".repeat(40) } });
  });

  it("are read by sentry-cli from its checkout, since no repository is known", async () => {
    expect((await service.app.inject({ url: `${path}/repos/?cursor=`, headers: headers() })).json()).toEqual([]);
  });
});
