import { VendorFailure } from "@whence/vendors";
import { describe, expect, it } from "vitest";
import { conversationLimits } from "../../src/conversations/conversation-limits.ts";
import { reportWith } from "../ended-report.ts";
import { cause, conversingInEachTest, later, underWay } from "./conversing.ts";

const our = conversingInEachTest();

const stopped = "Stopped. No answer will be posted here.";
const stop = (ms: number, place: Readonly<Record<string, string>> = { thread: "t" }) =>
  our().announce({ kind: "stop", stopped: { thread: "t", at: later(ms), place } });
const said = () => our().vendor.said("t");

describe("a canceled request", () => {
  it("is confirmed in place of the acknowledgment, and nothing is posted or shown after that", async () => {
    our().start();
    await our().ask("t");
    const incidentId = await our().incidentOf("t");
    await stop(1_000);
    await our().settled();
    expect(said()).toEqual([stopped]);
    expect(our().vendor.states.get("t")).toBeUndefined();
    const calls = our().vendor.calls.length;
    await our().complete(incidentId);
    await our().settled();
    expect(our().vendor.calls).toHaveLength(calls);
    expect(await our().conversation("t")).toMatchObject({ status: "COMPLETED", stopped_at: later(1_000) });
  });

  it("is confirmed once, even when several analyzers announce it several times", async () => {
    our().start();
    our().start();
    await our().ask("t");
    await our().incidentOf("t");
    await Promise.all([stop(1_000), stop(1_000), stop(2_000)]);
    await stop(1_000);
    await our().settled();
    expect(said()).toEqual([stopped]);
  });

  it("is confirmed where it was canceled and where the answer belongs", async () => {
    our().start();
    await our().ask("t");
    await our().incidentOf("t");
    await stop(1_000, { thread: "another session" });
    await our().settled();
    expect([said(), our().vendor.said("another session")]).toEqual([[stopped], [stopped]]);
  });

  it("is confirmed once when the vendor recovers, even when its response was lost", async () => {
    our().start();
    await our().ask("t");
    await our().incidentOf("t");
    our().vendor.fail(new VendorFailure("unavailable", "Chat answered 503"), "confirmStop");
    await stop(1_000);
    await our()
      .until(async () => (await our().conversation("t"))?.failed?.reason)
      .toBe("Chat answered 503");
    our().vendor.recover();
    our().vendor.losing.add("confirmStop");
    our().service.clock.now += conversationLimits.waitMaxMs;
    await our().until(said).toEqual([stopped]);
    our().vendor.recover();
    our().service.clock.now += conversationLimits.waitMaxMs;
    await our().settled();
    expect(said()).toEqual([stopped]);
  });

  it("opens nothing when it was canceled before it began", async () => {
    await our().ask("t");
    await stop(1_000);
    our().start();
    await our().settled();
    expect(said()).toEqual([stopped]);
    expect(our().vendor.calls).not.toContain("read");
    expect(await our().conversation("t")).toMatchObject({ status: "FAILED", incident_id: null });
  });

  it("is answered again when someone asks later", async () => {
    our().start();
    await our().ask("t");
    const incidentId = await our().incidentOf("t");
    await stop(1_000);
    await our().until(said).toEqual([stopped]);
    await our().ask("t", { requestId: "2", at: later(2_000) });
    await our().settled();
    expect(said()).toEqual([stopped, underWay]);
    expect(our().vendor.states.get("t")).toBe("PROCESSING");
    await our().complete(incidentId);
    await our().until(said).toEqual([cause, underWay]);
  });

  it("keeps its answer and correction when it was canceled afterward", async () => {
    const incidentId = await our().answered("t");
    await stop(1_000);
    await our().settled();
    expect([said(), our().vendor.states.get("t")]).toEqual([[cause], "COMPLETED"]);
    expect((await our().conversation("t"))?.stopped_at).toBeNull();
    await our().scope.incidents.requeue(incidentId);
    const root_cause = { category: "timeout" as const, statement: "Code [e1].", location: null, service: null };
    await our().complete(incidentId, reportWith({ root_cause, root_cause_summary: "Another cause [e1]." }));
    await our().until(said).toEqual(["Another cause."]);
  });
});

describe("a stop that arrives before its request", () => {
  it("keeps it from starting, and is confirmed when it arrives", async () => {
    our().start();
    await stop(1_000);
    await our().settled();
    expect([our().vendor.calls, await our().conversation("t")]).toEqual([[], undefined]);
    await our().ask("t");
    await our().settled();
    expect(said()).toEqual([stopped]);
    expect(await our().scope.incidents.list({ limit: 1 })).toEqual([]);
    expect(await our().conversation("t")).toMatchObject({ status: "FAILED", stopped_at: later(1_000) });
  });

  it("prevents what was asked before the last of several", async () => {
    our().start();
    await stop(1_000);
    await stop(3_000);
    await our().ask("t", { at: later(2_000) });
    await our().settled();
    expect(said()).toEqual([stopped]);
  });

  it("doesn't concern what is asked after it", async () => {
    our().start();
    await stop(1_000);
    await our().ask("t", { at: later(2_000) });
    await our().complete(await our().incidentOf("t"));
    await our().until(said).toEqual([cause]);
    expect(await our().conversation("t")).toMatchObject({ asked_at: later(2_000), stopped_at: null });
  });
});
