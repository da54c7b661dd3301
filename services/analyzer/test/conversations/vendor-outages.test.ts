import { VendorFailure } from "@whence/vendors";
import { describe, expect, it } from "vitest";
import { conversationLimits } from "../../src/conversations/conversation-limits.ts";
import { cause, conversingInEachTest } from "./conversing.ts";

const our = conversingInEachTest();

describe("a vendor outage", () => {
  const down = new VendorFailure("unavailable", "Chat answered 503");

  it("of a minute delays the answer, and nothing is lost or posted twice", async () => {
    our().vendor.fail(down, "acknowledge", "read", "post", "show");
    our().start();
    await our().ask("t");
    await our()
      .until(async () => (await our().conversation("t"))?.failed)
      .toEqual({
        ...{ reason: "Chat answered 503", given_up: false, refused: false },
      });
    our().service.clock.now += 60_000;
    our().vendor.recover();
    const incidentId = await our().incidentOf("t");
    our().vendor.fail(down, "post");
    await our().complete(incidentId);
    await our()
      .until(async () => (await our().conversation("t"))?.failed?.reason)
      .toBe("Chat answered 503");
    expect((await our().conversation("t"))?.status).toBe("COMPLETED");
    our().service.clock.now += 60_000;
    our().vendor.recover();
    await our()
      .until(() => our().vendor.states.get("t"))
      .toBe("COMPLETED");
    await our().settled();
    expect(our().vendor.said("t")).toEqual([cause]);
    expect((await our().conversation("t"))?.failed).toBeNull();
  });

  it("with a time to come back isn't retried earlier", async () => {
    our().vendor.fail(new VendorFailure("rate-limited", "slow down", 120_000), "read");
    our().start();
    await our().ask("t");
    await our()
      .until(async () => (await our().conversation("t"))?.failed?.reason)
      .toBe("slow down");
    our().vendor.recover();
    our().service.clock.now += 119_000;
    await our()
      .until(() => our().vendor.calls.length)
      .toBe(3);
    our().service.clock.now += 1_000;
    await our().incidentOf("t");
  });

  it("of a day is given up, which is visible; the next request starts over", async () => {
    our().vendor.fail(down, "acknowledge", "read", "post", "show");
    our().start();
    await our().ask("t");
    await our()
      .until(async () => (await our().conversation("t"))?.failed?.given_up)
      .toBe(false);
    our().service.clock.now += conversationLimits.givenUpAfterMs;
    await our()
      .until(async () => (await our().conversation("t"))?.failed?.given_up)
      .toBe(true);
    expect(await our().conversation("t")).toMatchObject({ status: "FAILED", incident_id: null });
    our().vendor.recover();
    await our().ask("t", { requestId: "2" });
    await our().complete(await our().incidentOf("t"));
    await our()
      .until(() => our().vendor.said("t"))
      .toEqual([cause]);
  });

  it("that lets the bot write but not read says so in the conversation within minutes", async () => {
    our().vendor.fail(new VendorFailure("forbidden", "the bot is not in the channel"), "read");
    our().start();
    await our().ask("t");
    await our()
      .until(async () => (await our().conversation("t"))?.failed?.given_up)
      .toBe(false);
    our().service.clock.now += conversationLimits.shutOutGivenUpAfterMs;
    await our()
      .until(() => our().vendor.said("t"))
      .toEqual(["This conversation couldn't be read: the bot is not in the channel"]);
    await our()
      .until(async () => (await our().conversation("t"))?.status)
      .toBe("FAILED");
    expect(our().vendor.states.get("t")).toBe("FAILED");
  });

  it("that affects only reactions doesn't delay the answer, and the state is shown later", async () => {
    our().vendor.fail(down, "show", "acknowledge");
    our().start();
    await our().ask("t");
    await our().complete(await our().incidentOf("t"));
    await our()
      .until(() => our().vendor.said("t"))
      .toEqual([cause]);
    await our().ask("t", { requestId: "2" });
    await our()
      .until(() => our().vendor.said("t").length)
      .toBe(2);
    expect(our().vendor.states.get("t")).toBeUndefined();
    our().vendor.recover();
    our().service.clock.now += 60_000;
    await our()
      .until(() => our().vendor.states.get("t"))
      .toBe("COMPLETED");
    expect(our().vendor.said("t")).toHaveLength(2);
  });
});
