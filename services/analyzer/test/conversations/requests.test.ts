import { describe, expect, it } from "vitest";
import { conversationLimits } from "../../src/conversations/conversation-limits.ts";
import { cause, conversingInEachTest, later, underWay } from "./conversing.ts";

const our = conversingInEachTest();

describe("a request in a conversation", () => {
  // requirement: issue-record.state-processing
  // requirement: issue-record.placeholder-for-mention
  it("is acknowledged at once, read, and opens an incident on what people said", async () => {
    our().start();
    await our().ask("t");
    const incidentId = await our().incidentOf("t");
    expect(our().vendor.calls).toEqual(["acknowledge", "show", "read"]);
    expect(our().vendor.states.get("t")).toBe("PROCESSING");
    expect(our().vendor.said("t")).toEqual(["Looking for the root cause."]);
    expect(await our().scope.incidents.find(incidentId)).toMatchObject({
      ...{ title: "Checkout fails in t", severity: "medium", status: "queued" },
      trigger: {
        ...{ kind: "conversation", source: "webhook", source_id: our().sourceId, thread: "t", author: "Ada" },
        url: "https://chat.example.com/t",
      },
      decision: { outcome: "opened", rule: "conversation", reason: "Ada asked in Standard Webhooks" },
    });
    expect(await our().scope.incidents.input(incidentId)).toMatchObject({
      ...{ kind: "text", errorLog: "Checkout fails in t\nTypeError: total is undefined" },
    });
    expect(await our().conversation("t")).toMatchObject({
      ...{ title: "Checkout fails in t", url: "https://chat.example.com/t", status: "PROCESSING" },
      ...{ incident_id: incidentId, stopped_at: null, failed: null },
    });
  });

  // requirement: issue-record.state-completed
  it("is answered in place of the acknowledgment, and marked as completed", async () => {
    await our().answered("t");
    expect(our().vendor.states.get("t")).toBe("COMPLETED");
    expect((await our().conversation("t"))?.status).toBe("COMPLETED");
  });

  // requirement: issue-record.state-failed
  it("whose analysis fails gets the reason, and is marked as failed", async () => {
    our().start();
    await our().ask("t");
    await our().fail(await our().incidentOf("t"));
    await our()
      .until(() => our().vendor.said("t"))
      .toEqual(["Investigation failed: Checkout fails in t"]);
    await our()
      .until(() => our().vendor.states.get("t"))
      .toBe("FAILED");
    expect((await our().conversation("t"))?.status).toBe("FAILED");
    expect([...our().vendor.messages.values()].map(({ purpose }) => purpose)).toEqual(["failure"]);
  });

  // requirement: issue-record.one-per-issue
  // requirement: issue-record.not-duplicate
  it("is answered once, even when it is delivered several times at once", async () => {
    our().start();
    our().start();
    await Promise.all([our().ask("t"), our().ask("t"), our().ask("t")]);
    const incidentId = await our().incidentOf("t");
    await our().ask("t");
    await our().complete(incidentId);
    await our().ask("t");
    await our().settled();
    expect(our().vendor.said("t")).toEqual([cause]);
    expect(await our().scope.incidents.list({ limit: 10 })).toHaveLength(1);
  });

  it("during the analysis gets one message that the answer will come", async () => {
    our().start();
    await Promise.all([our().ask("t"), our().ask("t", { requestId: "2" }), our().ask("t", { requestId: "3" })]);
    const incidentId = await our().incidentOf("t");
    await our().ask("t", { requestId: "4", question: "Why?" });
    await our().settled();
    expect(our().vendor.said("t")).toEqual(["Looking for the root cause.", underWay]);
    await our().complete(incidentId);
    await our()
      .until(() => our().vendor.said("t"))
      .toEqual([cause, underWay]);
  });

  // requirement: issue-record.repeat-references
  it("after the analysis points to it, and opens no other", async () => {
    await our().answered("t");
    await our().ask("t", { requestId: "2", how: "assigned" });
    await our()
      .until(() => our().vendor.said("t"))
      .toEqual([cause, "Already analyzed: It broke."]);
    expect(await our().scope.incidents.list({ limit: 10 })).toHaveLength(1);
  });

  // requirement: trigger.issue-follow-up
  it("with a question after the analysis is answered from its report", async () => {
    await our().answered("t");
    await our().ask("t", { requestId: "2", question: "Which release?" });
    await our()
      .until(() => our().vendor.said("t"))
      .toEqual([cause, "The report names no release or change as the cause."]);
    const counted = async () => {
      const { values } = await our().service.metrics.conversationPosts.get();
      return values.map(({ labels }) => `${labels.kind} ${labels.outcome}`);
    };
    const expected = ["acknowledgment posted", "start posted", "answer posted", "follow-up posted"];
    await our().until(counted).toEqual(expect.arrayContaining(expected));
  });

  it("that arrives after its follow-up is a further request in the same conversation", async () => {
    our().start();
    await our().ask("t", { requestId: "second", question: "Why?", at: later(5_000) });
    const incidentId = await our().incidentOf("t");
    await our().ask("t", { requestId: "first", at: later(0) });
    await our().complete(incidentId);
    await our().settled();
    expect(our().vendor.said("t")[0]).toBe(cause);
    expect(await our().scope.incidents.list({ limit: 10 })).toHaveLength(1);
    expect((await our().conversation("t"))?.asked_at).toBe(later(5_000));
  });

  it("continues where a process stopped, at whichever step", async () => {
    await our().ask("t");
    expect(our().vendor.calls).toEqual([]);
    our().vendor.losing.add("acknowledge");
    our().vendor.fail(new Error("killed"), "read");
    our().start();
    await our()
      .until(() => our().vendor.calls.includes("read"))
      .toBe(true);
    await our().stop();
    our().vendor.recover();
    our().service.clock.now += conversationLimits.holdMs;
    our().start();
    const incidentId = await our().incidentOf("t");
    await our().stop();
    await our().complete(incidentId);
    our().vendor.losing.add("post");
    our().start();
    await our()
      .until(() => our().vendor.said("t"))
      .toEqual([cause]);
    await our().stop();
    our().vendor.recover();
    our().service.clock.now += conversationLimits.holdMs;
    our().start();
    await our()
      .until(() => our().vendor.states.get("t"))
      .toBe("COMPLETED");
    expect(our().vendor.said("t")).toEqual([cause]);
  });

  it("keeps its texts within limits", async () => {
    our().start();
    our().vendor.discussions.set("t", {
      text: "é".repeat(200_000),
      title: "x".repeat(900),
      url: "javascript:alert(1)",
    });
    await our().ask("t", { question: "?".repeat(100_000), author: `Ada\n${"a".repeat(900)}` });
    const incident = await our().scope.incidents.find(await our().incidentOf("t"));
    expect(incident?.title).toHaveLength(200);
    expect(incident?.trigger).toMatchObject({ url: null, author: expect.stringMatching(/^Ada a{96}$/) });
  });
});
