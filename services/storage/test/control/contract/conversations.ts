import { hourMs } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { AskedInConversation, ControlDb, Scope, StoredConversation, TakenPost } from "../../../src/index.ts";
import { actor, after, newIncident, now, organization, report, sourceAllowance } from "./samples.ts";

const ada = { id: "usr_ada", name: "Ada" };
const bounds = { max: 10, perScopeMax: 4, holdMs: 60_000 };
const opening = (allowance = sourceAllowance) => ({ opening: newIncident(), allowance });
const about = { title: "orders is down", url: "https://chat.example.com/1" };

function asked(thread: string, changes: Partial<AskedInConversation> = {}): AskedInConversation {
  return {
    thread,
    requestId: `${thread}-1`,
    how: "mentioned",
    question: "",
    author: "Ada",
    at: now.toISOString(),
    place: { channel: "C1", thread },
    ...changes,
  };
}

/** What every control database does about conversations and what is said in them. */
export function describeConversations(name: string, db: () => ControlDb): void {
  async function newSource(): Promise<{ scope: Scope; scopeId: string; sourceId: string }> {
    const scopeId = await organization(db());
    const scope = db().scope(scopeId);
    const adding = { kind: "webhook", name: "Chat", inputs: {}, secrets: { secret: "s" }, by: ada, now } as const;
    return { scope, scopeId, sourceId: (await scope.alertSources.add(adding)).id };
  }

  /** What is due in the scope. The tests share a database. */
  async function take(scopeId: string, at = now): Promise<TakenPost[]> {
    const everything = { ...bounds, max: 1_000 };
    return (await db().conversations.take(at, everything)).filter((post) => post.scopeId === scopeId);
  }

  async function taken(scopeId: string, at = now): Promise<TakenPost> {
    const [post] = await take(scopeId, at);
    if (!post) throw new Error("nothing is due");
    return post;
  }

  /** A conversation that was asked in, started, and belongs to an incident. */
  async function started(scope: Scope, scopeId: string, sourceId: string, thread = "t"): Promise<StoredConversation> {
    await scope.conversations.ask(sourceId, asked(thread), now);
    const post = await taken(scopeId);
    await scope.conversations.open(post.conversationId, about, opening(), now);
    await db().conversations.settle(post, { state: "posted" }, now);
    return found(scope, post.conversationId);
  }

  async function found(scope: Scope, id: string): Promise<StoredConversation> {
    const conversation = await scope.conversations.find(id);
    if (!conversation) throw new Error("the conversation is gone");
    return conversation;
  }

  function stop(scope: Scope, sourceId: string, at: string, { thread = "t", rememberedMax = 10 } = {}) {
    const stopped = { thread, at, place: { channel: "C2" } };
    return scope.conversations.stop(sourceId, stopped, { now, rememberedMax });
  }

  async function complete(scope: Scope, incidentId: string | null, with_ = report): Promise<void> {
    const id = incidentId ?? "";
    await scope.incidents.complete(id, (await scope.incidents.begin(id, now)) ?? 0, with_, now);
  }

  describe(`${name}: conversations`, () => {
    it("are found by the incident that they are about, in their own scope only", async () => {
      const { scope, scopeId, sourceId } = await newSource();
      const { incidentId } = await started(scope, scopeId, sourceId);
      const found = { sourceId, ...about, asked_at: now.toISOString() };
      expect(await scope.conversations.ofIncident(incidentId ?? "", 10)).toEqual([found]);
      const { scope: other } = await newSource();
      expect(await other.conversations.ofIncident(incidentId ?? "", 10)).toEqual([]);
    });

    it("are started once, however often and by however many a request is noted", async () => {
      const { scope, scopeId, sourceId } = await newSource();
      const answers = await Promise.all([1, 2, 3].map(() => scope.conversations.ask(sourceId, asked("t"), now)));
      expect(answers.filter(Boolean)).toHaveLength(1);
      expect(await scope.conversations.ask(sourceId, asked("t"), now)).toBe(false);
      const posts = await take(scopeId);
      expect(posts).toMatchObject([{ kind: "start", attempt: 1, asked: asked("t"), said: null }]);
      expect(await found(scope, posts[0]?.conversationId ?? "")).toMatchObject({
        thread: "t",
        sourceId,
        status: "PROCESSING",
        incidentId: null,
        messageId: null,
        stoppedAt: null,
        place: { channel: "C1", thread: "t" },
        isUnderWayTold: false,
        isAnswered: false,
      });
    });

    it("answer each further request, one at a time, in their order", async () => {
      const { scope, scopeId, sourceId } = await newSource();
      for (const requestId of ["1", "2", "3"]) await scope.conversations.ask(sourceId, asked("t", { requestId }), now);
      const seen: string[] = [];
      for (let count = 0; count < 3; count += 1) {
        const posts = await take(scopeId);
        expect(posts).toHaveLength(1);
        expect(await take(scopeId)).toEqual([]);
        for (const post of posts) {
          seen.push(`${post.kind} ${post.asked?.requestId}`);
          await db().conversations.settle(post, { state: "posted" }, now);
        }
      }
      expect(seen).toEqual(["start 1", "reply 2", "reply 3"]);
    });

    it("open one incident each, by however many at once", async () => {
      const { scope, scopeId, sourceId } = await newSource();
      await scope.conversations.ask(sourceId, asked("t"), now);
      const { conversationId: id } = await taken(scopeId);
      const opened = await Promise.all([1, 2].map(() => scope.conversations.open(id, about, opening(), now)));
      expect(opened.filter((one) => one !== null)).toHaveLength(1);
      const incidents = await scope.incidents.list({ limit: 10 });
      expect(incidents).toHaveLength(1);
      expect((await found(scope, id)).incidentId).toBe(incidents[0]?.id);
    });

    it("open no incident while their source has opened as many as it may", async () => {
      const { scope, scopeId, sourceId } = await newSource();
      await scope.conversations.ask(sourceId, asked("t"), now);
      const { conversationId: id } = await taken(scopeId);
      const none = opening({ max: 0, spanMs: hourMs });
      await expect(scope.conversations.open(id, about, none, now)).rejects.toThrow(
        "the source opened 0 incidents within 60 minutes, as many as it may",
      );
      expect(await found(scope, id)).toMatchObject({ incidentId: null, status: "PROCESSING" });
      expect(await scope.conversations.open(id, about, opening(), now)).toMatchObject({ status: "queued" });
    });

    it("end with their incident, and are answered once", async () => {
      const { scope, scopeId, sourceId } = await newSource();
      const { id, incidentId } = await started(scope, scopeId, sourceId);
      expect(await take(scopeId)).toEqual([]);
      await complete(scope, incidentId);
      expect((await found(scope, id)).status).toBe("COMPLETED");
      const post = await taken(scopeId);
      expect(post).toMatchObject({ kind: "answer", asked: null, conversationId: id });
      expect(await db().conversations.noteSaid(post, "answer", "m1")).toBe(true);
      await db().conversations.settle(post, { state: "posted" }, now);
      expect((await found(scope, id)).messageId).toBe("m1");
      expect(await take(scopeId, after(1e6))).toEqual([]);
    });

    it("fail with their incident, and complete when it is investigated again", async () => {
      const { scope, scopeId, sourceId } = await newSource();
      const { id, incidentId } = await started(scope, scopeId, sourceId);
      const failing = incidentId ?? "";
      const attempt = (await scope.incidents.begin(failing, now)) ?? 0;
      await scope.incidents.fail(failing, attempt, { code: "X", message: "broken" }, now);
      expect((await found(scope, id)).status).toBe("FAILED");
      await db().conversations.settle(await taken(scopeId), { state: "posted" }, now);
      await scope.incidents.requeue(failing);
      await complete(scope, failing);
      expect((await found(scope, id)).status).toBe("COMPLETED");
      expect(await take(scopeId)).toMatchObject([{ kind: "answer" }]);
    });

    it("are answered again when a later report names another cause, and not when it is only surer", async () => {
      const { scope, scopeId, sourceId } = await newSource();
      const { incidentId } = await started(scope, scopeId, sourceId);
      await complete(scope, incidentId);
      await db().conversations.settle(await taken(scopeId), { state: "posted" }, now);
      const again = async (changed: typeof report) => {
        await scope.incidents.requeue(incidentId ?? "");
        await complete(scope, incidentId, changed);
        return take(scopeId);
      };
      expect(await again({ ...report, confidence: { score: 0.9, basis: "two frames" } })).toEqual([]);
      const root_cause = { ...report.root_cause, category: "bad-config" as const, statement: "A setting [e1]." };
      expect(await again({ ...report, root_cause, root_cause_summary: "A setting [e1]." })).toHaveLength(1);
    });

    it("of an incident that has ended are answered at once", async () => {
      const { scope, scopeId, sourceId } = await newSource();
      const { id: incidentId } = await scope.incidents.open(newIncident());
      await complete(scope, incidentId);
      await scope.conversations.ask(sourceId, asked("t"), now);
      const post = await taken(scopeId);
      expect(await scope.conversations.open(post.conversationId, about, { id: incidentId }, now)).toBe("joined");
      await db().conversations.settle(post, { state: "posted" }, now);
      expect(await found(scope, post.conversationId)).toMatchObject({ status: "COMPLETED", incidentId });
      expect(await take(scopeId)).toMatchObject([{ kind: "answer" }]);
    });

    it("that couldn't be started have failed, and start over when someone asks again", async () => {
      const { scope, scopeId, sourceId } = await newSource();
      await scope.conversations.ask(sourceId, asked("t"), now);
      const post = await taken(scopeId);
      await db().conversations.settle(post, { state: "given_up", reason: "the vendor is down" }, now);
      expect(await scope.conversations.list(sourceId, 10)).toMatchObject([
        { status: "FAILED", incident_id: null, failed: { reason: "the vendor is down", given_up: true } },
      ]);
      await scope.conversations.ask(sourceId, asked("t", { requestId: "2", place: { channel: "C2" } }), now);
      expect(await take(scopeId)).toMatchObject([{ kind: "start", asked: { requestId: "2" } }]);
      expect(await found(scope, post.conversationId)).toMatchObject({ status: "PROCESSING", place: { channel: "C2" } });
    });

    it("whose request was refused have failed, and are started by who asked meanwhile", async () => {
      const { scope, scopeId, sourceId } = await newSource();
      const refused = { state: "refused", reason: "Mallory has no role there", rememberedMax: 2 } as const;
      await scope.conversations.ask(sourceId, asked("t", { author: "Mallory" }), now);
      const first = await taken(scopeId);
      await scope.conversations.ask(sourceId, asked("t", { requestId: "2", place: { channel: "C2" } }), now);
      await db().conversations.settle(first, refused, now);
      expect(await found(scope, first.conversationId)).toMatchObject({
        status: "PROCESSING",
        place: { channel: "C2" },
      });
      const second = await taken(scopeId);
      expect(second).toMatchObject({ kind: "start", asked: { requestId: "2" } });
      await db().conversations.settle(second, refused, now);
      expect(await scope.conversations.list(sourceId, 10)).toMatchObject([
        { status: "FAILED", incident_id: null, failed: { reason: refused.reason, given_up: false, refused: true } },
      ]);
    });

    it.each([
      [2, ["t1", "t2"]],
      [3, ["t2", "t3"]],
    ])("whose requests were all refused, %i, are forgotten but for the newest", async (count, kept) => {
      const { scope, scopeId, sourceId } = await newSource();
      const { id: incidentful } = await started(scope, scopeId, sourceId, "answered");
      for (let index = 1; index <= count; index += 1) {
        await scope.conversations.ask(sourceId, asked(`t${index}`), now);
        const refused = { state: "refused", reason: "a stranger", rememberedMax: 2 } as const;
        await db().conversations.settle(await taken(scopeId), refused, after(index));
      }
      const listed = await scope.conversations.list(sourceId, 10);
      expect(listed.map(({ thread }) => thread).toSorted()).toEqual(["answered", ...kept]);
      expect(await scope.conversations.find(incidentful)).not.toBeNull();
    });

    it("keep only the latest of the requests that were refused", async () => {
      const { scope, scopeId, sourceId } = await newSource();
      const { id } = await started(scope, scopeId, sourceId);
      for (const requestId of ["2", "3", "4"]) {
        await scope.conversations.ask(sourceId, asked("t", { requestId }), now);
        const refused = { state: "refused", reason: `request ${requestId}`, rememberedMax: 0 } as const;
        await db().conversations.settle(await taken(scopeId), refused, now);
      }
      let posts = 0;
      for await (const { table } of scope.exportRows()) if (table === "conversation_post") posts += 1;
      expect(posts).toBe(2);
      expect(await found(scope, id)).toMatchObject({ status: "PROCESSING" });
      expect(await scope.conversations.list(sourceId, 1)).toMatchObject([
        { failed: { reason: "request 4", refused: true } },
      ]);
    });

    it("are stopped, unless someone asked later, and wanted again when someone asks after that", async () => {
      const { scope, scopeId, sourceId } = await newSource();
      const [at, early] = [after(10).toISOString(), after(9).toISOString()];
      await scope.conversations.ask(sourceId, asked("t", { at }), now);
      expect(await stop(scope, sourceId, early)).toBe(false);
      const answers = await Promise.all([1, 2, 3].map(() => stop(scope, sourceId, at)));
      expect(answers.filter(Boolean)).toHaveLength(1);
      const { conversationId, ...start } = await taken(scopeId);
      await db().conversations.settle({ conversationId, ...start }, { state: "called_off" }, now);
      expect(await take(scopeId)).toMatchObject([{ kind: "stop", asked: null, place: { channel: "C2" } }]);
      expect((await found(scope, conversationId)).stoppedAt).toBe(at);
      await scope.conversations.ask(sourceId, asked("t", { requestId: "late", at: early }), now);
      expect((await found(scope, conversationId)).stoppedAt).toBe(at);
      await scope.conversations.ask(sourceId, asked("t", { requestId: "2", at: after(11).toISOString() }), now);
      expect((await found(scope, conversationId)).stoppedAt).toBeNull();
    });

    it("that were answered aren't stopped", async () => {
      const { scope, scopeId, sourceId } = await newSource();
      const { id, incidentId } = await started(scope, scopeId, sourceId);
      await complete(scope, incidentId);
      await db().conversations.noteSaid(await taken(scopeId), "answer", null);
      expect(await stop(scope, sourceId, after(10).toISOString())).toBe(false);
      expect(await found(scope, id)).toMatchObject({ isAnswered: true, stoppedAt: null });
    });

    it("are known as stopped before anyone is known to have asked, the newest of each source", async () => {
      const { scope, scopeId, sourceId } = await newSource();
      const at = after(10).toISOString();
      for (const thread of ["a", "b", "c"]) await stop(scope, sourceId, at, { thread, rememberedMax: 2 });
      expect(await scope.conversations.list(sourceId, 10)).toEqual([]);
      expect(await take(scopeId)).toEqual([]);
      for (const thread of ["a", "b"]) await scope.conversations.ask(sourceId, asked(thread), now);
      const posts = await take(scopeId);
      const conversations = await Promise.all(posts.map(({ conversationId }) => found(scope, conversationId)));
      expect(conversations.map(({ thread, stoppedAt }) => [thread, stoppedAt])).toEqual([
        ["a", null],
        ["b", at],
      ]);
    });

    it("are removed with their source and with their incident", async () => {
      const { scope, scopeId, sourceId } = await newSource();
      const first = await started(scope, scopeId, sourceId, "first");
      const second = await started(scope, scopeId, sourceId, "second");
      await scope.incidents.remove(first.incidentId ?? "", actor, now);
      expect(await scope.conversations.find(first.id)).toBeNull();
      await scope.alertSources.remove(sourceId);
      expect(await scope.conversations.find(second.id)).toBeNull();
      const rows = [];
      for await (const { table, row } of db().exportRows()) if (row.scope_id === scopeId) rows.push(table);
      expect(rows.filter((table) => table.startsWith("conversation"))).toEqual([]);
    });

    it("belong to one organization", async () => {
      const { scope, scopeId, sourceId } = await newSource();
      const { id } = await started(scope, scopeId, sourceId);
      const { scope: other } = await newSource();
      expect(await other.conversations.find(id)).toBeNull();
      expect(await other.conversations.list(sourceId, 10)).toEqual([]);
      expect(await stop(other, sourceId, after(1).toISOString())).toBe(false);
      expect(await other.conversations.ask(sourceId, asked("t", { requestId: "x" }), now)).toBe(false);
    });

    it("are listed with what changed last first, as many as asked for", async () => {
      const { scope, sourceId } = await newSource();
      for (const [index, thread] of ["a", "b", "c"].entries()) {
        await scope.conversations.ask(sourceId, asked(thread), after(index));
      }
      expect((await scope.conversations.list(sourceId, 2)).map(({ thread }) => thread)).toEqual(["c", "b"]);
    });
  });

  describe(`${name}: what is said in conversations`, () => {
    it("belongs to one process at a time, comes again after its hold, and its latest attempt alone settles it", async () => {
      const { scope, scopeId, sourceId } = await newSource();
      await scope.conversations.ask(sourceId, asked("t"), now);
      const both = await Promise.all([take(scopeId), take(scopeId)]);
      expect(both.flat()).toHaveLength(1);
      expect(await take(scopeId, after(bounds.holdMs - 1))).toEqual([]);
      const second = await taken(scopeId, after(bounds.holdMs));
      expect(second.attempt).toBe(2);
      const [first] = both.flat();
      expect(first && (await db().conversations.settle(first, { state: "posted" }, now))).toBe(false);
      expect(first && (await db().conversations.noteSaid(first, "answer", null))).toBe(false);
      const outcome = { state: "waiting", reason: "down", nextAttemptAt: after(90_000) } as const;
      expect(await db().conversations.settle(second, outcome, now)).toBe(true);
      expect(await scope.conversations.list(sourceId, 1)).toMatchObject([
        { failed: { reason: "down", given_up: false } },
      ]);
      expect(await take(scopeId, after(89_999))).toEqual([]);
      expect(await take(scopeId, after(90_000))).toHaveLength(1);
    });

    it("holds nothing up once it was said", async () => {
      const { scope, scopeId, sourceId } = await newSource();
      for (const requestId of ["1", "2"]) await scope.conversations.ask(sourceId, asked("t", { requestId }), now);
      const first = await taken(scopeId);
      expect(await take(scopeId)).toEqual([]);
      await db().conversations.noteSaid(first, "under-way", null);
      expect(await take(scopeId)).toHaveLength(1);
      expect((await found(scope, first.conversationId)).isUnderWayTold).toBe(true);
    });

    it("is at most four at once for an organization", async () => {
      const { scope, scopeId, sourceId } = await newSource();
      for (let index = 0; index < 5; index += 1) await scope.conversations.ask(sourceId, asked(`t${index}`), now);
      const posts = await take(scopeId);
      expect(posts).toHaveLength(4);
      expect(await take(scopeId)).toEqual([]);
      const [first] = posts;
      await (first && db().conversations.settle(first, { state: "posted" }, now));
      expect(await take(scopeId)).toHaveLength(1);
    });
  });
}
