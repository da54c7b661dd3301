import { limits } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { ControlDb, SentSourceFile, SentSources, WantedSources } from "../../../src/index.ts";
import { after, drainOutbox, newIncident, now, organization, report, sourceRoom } from "./samples.ts";

const of = { service: "orders", release: "1.0.0" };
const since = after(-1_000);

function lacking(paths: readonly string[], about: Partial<WantedSources> = {}): WantedSources {
  return { ...of, incidentId: "inc_1", paths, now, ...about };
}

function sent(texts: Readonly<Record<string, string>>, about: Partial<SentSources> = {}): SentSources {
  const files: SentSourceFile[] = Object.entries(texts).map(([path, text]) => ({ path, text }));
  return { ...of, files, keyId: "key_1", wantedSince: since, now, ...about };
}

/** What every control database does about source files that processes send. */
export function describeSentSources(name: string, db: () => ControlDb): void {
  const newScope = async () => db().scope(await organization(db()));

  describe(`${name}: files that an investigation lacks`, () => {
    it("are wanted of their release and scope alone, until they arrive", async () => {
      const [mine, theirs] = [await newScope(), await newScope()];
      await mine.sentSources.want(lacking(["/app/src/a.js", "/app/src/b.js"]));
      expect(await mine.sentSources.wanted(of, since)).toEqual(["/app/src/a.js", "/app/src/b.js"]);
      expect(await mine.sentSources.wanted({ ...of, release: "2.0.0" }, since)).toEqual([]);
      expect(await theirs.sentSources.wanted(of, since)).toEqual([]);
      expect(await theirs.sentSources.add(sent({ "src/a.js": "a" }), sourceRoom)).toBe(0);
      expect(await mine.sentSources.add(sent({ "src/a.js": "a" }), sourceRoom)).toBe(1);
      expect(await mine.sentSources.wanted(of, since)).toEqual(["/app/src/b.js"]);
      expect(await theirs.sentSources.files(of)).toBeNull();
    });

    it("are forgotten after a while, and nothing is stored for them", async () => {
      const { sentSources } = await newScope();
      await sentSources.want(lacking(["/app/a.js"]));
      expect(await sentSources.wanted(of, after(1))).toEqual([]);
      expect(await sentSources.add(sent({ "a.js": "a" }, { wantedSince: after(1) }), sourceRoom)).toBe(0);
      expect(await sentSources.files(of)).toBeNull();
    });

    it("are wanted from the failure on, unless code of the release is stored", async () => {
      const { sentSources } = await newScope();
      const first = { ...of, paths: ["/app/a.js"], now };
      await sentSources.want(lacking(["/app/b.js"]));
      await sentSources.wantFirst(first);
      expect(await sentSources.wanted(of, since)).toEqual(["/app/b.js", "/app/a.js"]);
      expect(await sentSources.add(sent({ "a.js": "a" }), sourceRoom)).toBe(1);
      await sentSources.wantFirst(first);
      await sentSources.wantFirst({ ...first, release: "orders@1.0.0+1a2b3c4" });
      expect(await sentSources.wanted(of, since)).toEqual(["/app/b.js"]);
      expect(await sentSources.wanted({ ...of, release: "orders@1.0.0+1a2b3c4" }, since)).toEqual([]);
    });

    it("are first those of an investigation, however many stacks have failed", async () => {
      const { sentSources } = await newScope();
      const paths = Array.from({ length: 60 }, (_, index) => `/app/${index}.js`);
      await sentSources.wantFirst({ ...of, paths, now });
      await sentSources.want(lacking(["/app/helper.js"]));
      expect(await sentSources.wanted(of, since)).toEqual(["/app/helper.js", ...paths.slice(0, 59)]);
    });

    it("are wanted from the failure on for 500 releases a day, and for any by an investigation", async () => {
      const { sentSources } = await newScope();
      const first = { service: "orders", paths: ["/app/a.js"], now };
      for (let release = 0; release < 500; release += 1) {
        await sentSources.wantFirst({ ...first, release: `${release}` });
      }
      const further = { service: "orders", release: "further" };
      await sentSources.wantFirst({ ...first, ...further });
      expect(await sentSources.wanted(further, since)).toEqual([]);
      await sentSources.wantFirst({ ...first, release: "499", paths: ["/app/b.js"] });
      expect(await sentSources.wanted({ ...further, release: "499" }, since)).toEqual(["/app/a.js", "/app/b.js"]);
      await sentSources.want(lacking(["/app/a.js"], further));
      expect(await sentSources.wanted(further, since)).toEqual(["/app/a.js"]);
      const tomorrow = after(limits.filesWantedMs + 1);
      await sentSources.wantFirst({ ...first, release: "tomorrow", now: tomorrow });
      expect(await sentSources.wanted({ ...further, release: "tomorrow" }, since)).toEqual(["/app/a.js"]);
    });

    it("are at most 60 of a release, asked for three times by an incident", async () => {
      const { sentSources } = await newScope();
      const paths = Array.from({ length: 80 }, (_, index) => `/app/${index}.js`);
      await sentSources.want(lacking(paths));
      expect(await sentSources.wanted(of, since)).toEqual(paths.slice(0, 60));
      const one = { ...of, service: "cart" };
      for (const path of ["1", "2", "3", "4"]) await sentSources.want(lacking([path], { ...one }));
      expect(await sentSources.wanted(one, since)).toEqual(["3", "2", "1"]);
      await sentSources.want(lacking(["5"], { ...one, incidentId: "inc_2" }));
      expect(await sentSources.wanted(one, since)).toEqual(["5", "3", "2", "1"]);
    });

    it("are added to those that came before, and replace a file with the same path", async () => {
      const { sentSources, sources } = await newScope();
      await sentSources.want(lacking(["/app/a.js"]));
      await sentSources.add(sent({ "a.js": "old", "b.js": "b" }), sourceRoom);
      await sentSources.add(sent({ "a.js": "new", "c.js": "b" }), sourceRoom);
      const stored = await sentSources.files(of);
      expect(stored?.files.map(({ path }) => path)).toEqual(["a.js", "b.js", "c.js"]);
      expect(new Set(stored?.files.map(({ sha256 }) => sha256)).size).toBe(2);
      expect(await sources.content(stored?.files[0]?.sha256 ?? "")).toBe("new");
    });

    it("stay apart from an upload of the same release, and are listed and removed with it", async () => {
      const { sentSources, sources } = await newScope();
      await sentSources.want(lacking(["/app/a.js"]));
      await sentSources.add(sent({ "a.js": "sent" }), sourceRoom);
      expect(await sources.files(of.service, of.release)).toBeNull();
      const [file] = (await sentSources.files(of))?.files ?? [];
      if (!file) throw new Error("no file is stored");
      await sources.put({ ...of, commit: null, files: [{ ...file, path: "b.js" }], keyId: "key_ci", now }, sourceRoom);
      expect((await sources.files(of.service, of.release))?.files.map(({ path }) => path)).toEqual(["b.js"]);
      expect((await sentSources.files(of))?.files.map(({ path }) => path)).toEqual(["a.js"]);
      expect((await sources.list()).map(({ origin }) => origin).sort()).toEqual(["sent", "uploaded"]);
      expect(await sources.remove(of.service, of.release)).toBe(true);
      expect(await sources.list()).toEqual([]);
    });

    it("are at most 300 of a release, and none when the scope's sources have no room", async () => {
      const { sentSources } = await newScope();
      await sentSources.want(lacking(["/app/a.js"]));
      expect(await sentSources.add(sent({ "a.js": "a" }), { ...sourceRoom, bytesMax: 10 })).toBe(0);
      const many = Object.fromEntries(Array.from({ length: 310 }, (_, index) => [`${index}.js`, "same"]));
      expect(await sentSources.add(sent(many), sourceRoom)).toBe(300);
      expect((await sentSources.files(of))?.files).toHaveLength(300);
    });

    it("make the reports of the incidents that lack them due again, even final ones, when they arrive", async () => {
      const scopeId = await organization(db());
      const { sentSources, incidents } = db().scope(scopeId);
      await drainOutbox(db());
      const { id } = await incidents.open(newIncident());
      const attempt = await incidents.begin(id, now);
      await incidents.complete(id, attempt ?? 0, report, now);
      expect(await incidents.beginRefinement(id, after(600_000))).toBeNull();
      await sentSources.want(lacking(["/app/a.js"], { incidentId: id }));
      await sentSources.add(sent({ "a.js": "a" }), sourceRoom);
      expect(await incidents.beginRefinement(id, after(600_000))).not.toBeNull();
    });

    it("make a report due that is being written, or refined, when they arrive", async () => {
      const scopeId = await organization(db());
      const { sentSources, incidents } = db().scope(scopeId);
      const { id } = await incidents.open(newIncident());
      const attempt = (await incidents.begin(id, now)) ?? 0;
      await sentSources.want(lacking(["/app/a.js", "/app/b.js"], { incidentId: id }));
      await sentSources.add(sent({ "a.js": "a" }), sourceRoom);
      const dueAt = after(60_000);
      const plan = { mark: "first", refineAt: dueAt, refinedUntil: dueAt };
      await incidents.complete(id, attempt, report, after(2_000), { plan });
      await drainOutbox(db());
      const due = async (at: Date) => {
        await db().refinements.askDue(at, { max: 10, holdMs: 600_000 });
        return (await db().outbox.pending(100)).filter(({ body }) => body.includes(id)).length;
      };
      expect(await due(after(2_000))).toBe(1);
      const taken = await incidents.beginRefinement(id, after(602_000));
      await sentSources.add(sent({ "b.js": "b" }, { now: after(3_000) }), sourceRoom);
      const final = { mark: "second", refineAt: null, refinedUntil: null };
      await incidents.refine(id, taken?.attempt ?? 0, report, after(4_000), final);
      await drainOutbox(db());
      expect(await due(after(4_000))).toBe(1);
      const last = await incidents.beginRefinement(id, after(604_000));
      await incidents.refine(id, last?.attempt ?? 0, report, after(5_000), final);
      expect(await incidents.beginRefinement(id, after(605_000))).toBeNull();
    });
  });
}
