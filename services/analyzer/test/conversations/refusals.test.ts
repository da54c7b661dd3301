import { VendorFailure } from "@whence/vendors";
import { describe, expect, it } from "vitest";
import { conversationLimits } from "../../src/conversations/conversation-limits.ts";
import { reportWith } from "../ended-report.ts";
import { cause, conversingInEachTest, later } from "./conversing.ts";

const our = conversingInEachTest();

const byStranger = (thread: string, requestId = "mallory 1") => ({
  ...{ requestId, author: "Mallory", place: { thread, asker: "mallory" } },
});
const refusal = async (thread = "t") => {
  const failed = (await our().conversation(thread))?.failed;
  return failed?.refused ? failed.reason : null;
};
const refused = (thread?: string) => our().until(() => refusal(thread));
const silence = () => [our().vendor.calls, [...our().vendor.messages], [...our().vendor.states]];
const nothing = [[], [], []];

async function counted(outcome: string): Promise<number> {
  const { values } = await our().service.metrics.conversationPosts.get();
  return values.filter(({ labels }) => labels.outcome === outcome).reduce((sum, { value }) => sum + value, 0);
}

describe("someone without a role", () => {
  it("reads nothing, opens no incident, and is shown to the organization", async () => {
    our().vendor.strangers.add("mallory");
    our().start();
    await our().ask("t", byStranger("t"));
    await refused().toBe("Mallory has no role there");
    expect(silence()).toEqual(nothing);
    expect(await our().conversation("t")).toMatchObject({ status: "FAILED", incident_id: null });
    expect(await counted("refused")).toBe(1);
  });

  it("doesn't keep a member from an answer who asks at the same time, or later", async () => {
    our().vendor.strangers.add("mallory");
    await our().ask("t", byStranger("t"));
    await our().ask("t", { place: { thread: "t", asker: "ada" } });
    await our().ask("u", byStranger("u"));
    our().start();
    const incidentId = await our().incidentOf("t");
    await our().complete(incidentId);
    await our()
      .until(() => our().vendor.said("t"))
      .toEqual([cause]);
    await refused("u").not.toBeNull();
    await our().ask("u", { requestId: "u 2" });
    expect(await our().incidentOf("u")).not.toBe("");
  });

  it("gets no answer to a question about a report, and nothing about a running analysis", async () => {
    our().vendor.strangers.add("mallory");
    await our().answered("t");
    const before = our().vendor.calls.length;
    await our().ask("t", { ...byStranger("t"), question: "where in the code?" });
    await refused().toBe("Mallory has no role there");
    await our().ask("u", { requestId: "u 1" });
    await our().incidentOf("u");
    await our().ask("u", byStranger("u"));
    await refused("u").toBe("Mallory has no role there");
    expect(our().vendor.said("t")).toEqual([cause]);
    expect(our().vendor.said("u")).toEqual(["Looking for the root cause."]);
    expect(our().vendor.calls.slice(before)).toEqual(["acknowledge", "show", "read"]);
  });

  it("gets no confirmation that a request was canceled", async () => {
    our().vendor.strangers.add("mallory");
    our().start();
    await our().ask("t", byStranger("t"));
    await refused().not.toBeNull();
    await our().announce({
      kind: "stop",
      stopped: { thread: "t", at: later(1), place: { thread: "t", asker: "mallory" } },
    });
    await our().settled();
    expect(silence()).toEqual(nothing);
  });

  it("gets no answer that was in progress when they left", async () => {
    our().start();
    await our().ask("t", byStranger("t"));
    const incidentId = await our().incidentOf("t");
    our().vendor.strangers.add("mallory");
    await our().complete(incidentId);
    await refused().toBe("who asked has no role there");
    expect(our().vendor.said("t")).toEqual(["Looking for the root cause."]);
    expect(our().vendor.states.get("t")).toBe("PROCESSING");
  });
});

describe("where outsiders can read", () => {
  const readByOthers = "people from outside of the organization can read it, and the source doesn't answer there";

  it("posts nothing to anyone", async () => {
    our().vendor.publicThreads.add("t");
    our().start();
    await our().ask("t");
    await refused().toBe(readByOthers);
    expect(silence()).toEqual(nothing);
  });

  it("posts nothing once it became so: neither the answer, nor a later one, nor an answer to a question", async () => {
    const incidentId = await our().answered("t");
    our().vendor.publicThreads.add("t");
    const before = our().vendor.calls.length;
    await our().ask("t", { requestId: "t 2", question: "why?" });
    await refused().toBe(readByOthers);
    await our().scope.incidents.requeue(incidentId);
    const root_cause = { category: "timeout" as const, statement: "Code [e1].", location: null, service: null };
    await our().complete(incidentId, reportWith({ root_cause, root_cause_summary: "Another cause [e1]." }));
    await our().settled();
    expect(await counted("refused")).toBe(2);
    expect(our().vendor.said("t")).toEqual([cause]);
    expect(our().vendor.calls.slice(before)).toEqual([]);
  });

  it("answers a member if an owner has allowed it, and still no stranger", async () => {
    await our().scope.alertSources.answerPublicly(our().sourceId, true);
    for (const thread of ["t", "u"]) our().vendor.publicThreads.add(thread);
    our().vendor.strangers.add("mallory");
    await our().answered("t");
    await our().ask("u", byStranger("u"));
    await refused("u").toBe("Mallory has no role there");
    expect(our().vendor.said("u")).toEqual([]);
  });
});

describe.each(["isPublic", "isAskedByMember"] as const)("a vendor that doesn't answer %s", (call) => {
  it("gets nothing to show, is asked again, and the answer follows once it says", async () => {
    our().vendor.fail(new VendorFailure("unavailable", "Chat answered 503"), call);
    our().start();
    await our().ask("t");
    await our()
      .until(async () => (await our().conversation("t"))?.failed)
      .toEqual({ reason: "Chat answered 503", given_up: false, refused: false });
    expect(silence()).toEqual(nothing);
    our().vendor.recover();
    our().service.clock.now += conversationLimits.firstWaitMs;
    expect(await our().incidentOf("t")).not.toBe("");
  });

  it("for 15 minutes, since it isn't let in, hears nothing at the end either", async () => {
    our().vendor.fail(new VendorFailure("forbidden", "Chat lacks a permission"), call);
    our().start();
    await our().ask("t");
    await our()
      .until(async () => {
        our().service.clock.now += 60_000;
        return (await our().conversation("t"))?.failed?.given_up;
      })
      .toBe(true);
    expect(silence()).toEqual(nothing);
  });
});
