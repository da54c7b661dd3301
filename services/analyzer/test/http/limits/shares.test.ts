import { describe, expect, it } from "vitest";
import { Shares, shareOwner } from "../../../src/http/limits/shares.ts";

describe("shares", () => {
  it("let each owner hold up to its limit, and others still", () => {
    const shares = new Shares({ perOwnerMax: 3 });
    expect(shares.take("a", 3)).not.toBeNull();
    expect(shares.take("a", 1)).toBeNull();
    expect(shares.take("b", 1)).not.toBeNull();
    expect([shares.held("a"), shares.held("b"), shares.held("c")]).toEqual([3, 1, 0]);
  });

  it("let all owners together hold up to their limit", () => {
    const shares = new Shares({ perOwnerMax: 3, totalMax: 4 });
    shares.take("a", 3);
    expect(shares.take("b", 2)).toBeNull();
    expect(shares.take("b", 1)).not.toBeNull();
  });

  it("take back a share once, even when it is released twice", () => {
    const shares = new Shares({ perOwnerMax: 2, totalMax: 2 });
    const release = shares.take("a", 1);
    shares.take("a", 1);
    release?.();
    release?.();
    expect(shares.held("a")).toBe(1);
    expect(shares.take("b", 1)).not.toBeNull();
    expect(shares.take("b", 1)).toBeNull();
  });

  it("are one for all unclaimed agents, and one for each organization", () => {
    expect(shareOwner("agt_1")).toBe(shareOwner("agt_2"));
    expect(shareOwner("org_1")).not.toBe(shareOwner("org_2"));
  });
});
