import { hourMs, minuteMs, type WatchOrder, watchLimits } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import * as sdkLimits from "../../src/sdk-limits.ts";
import { acceptOrder, type OrderedProgram } from "../../src/watch/accepted-order.ts";
import { signer } from "./signer.ts";

const now = Date.parse("2026-03-01T12:00:00.000Z");
const at = (ms: number): string => new Date(now + ms).toISOString();
const place = { file: "src/plan.js", line: 3, function: "planOf", starts: 2, sha256: "a".repeat(64) };
const order: WatchOrder = {
  ...{ id: "wat_1", organization: "org_1", service: "shop", env: "PROD", release: "7", places: [place] },
  ...{ issued_at: at(-minuteMs), expires_at: at(minuteMs) },
};

/** Signs an order with changes. */
const withChanges = ({ key, signed }: ReturnType<typeof signer>) => ({
  key,
  signed: (changes: object = {}, domain?: string) => signed({ ...order, ...changes }, domain),
});
const ours = withChanges(signer("org_1"));
const theirs = withChanges(signer("org_2"));
const program: OrderedProgram = { service: "shop", env: "PROD", release: "7", trusted: ours.key, trustsFirst: false };
const accept = (answer: unknown, changes: Partial<OrderedProgram> = {}) =>
  acceptOrder(answer, { ...program, ...changes }, now);
const refused = (answer: unknown, changes: Partial<OrderedProgram> = {}) => {
  const accepted = accept(answer, changes);
  return "refused" in accepted ? accepted.refused : null;
};

describe("an order to watch places", () => {
  it("is followed when the trusted key signed it for this program", () => {
    expect(accept(ours.signed())).toEqual({ order, key: ours.key });
    const places = [{ ...place, fields: ["amount"] }];
    expect(accept(ours.signed({ places }))).toEqual({ order: { ...order, places }, key: ours.key });
  });

  it("is followed with the first key over an encrypted connection, and refused over another", () => {
    expect(accept(ours.signed(), { trusted: undefined, trustsFirst: true })).toEqual({ order, key: ours.key });
    expect(refused(ours.signed(), { trusted: undefined })).toMatch(/isn't encrypted/);
  });

  it.each([
    ["another organization's", theirs.signed()],
    ["another organization's, named like ours", { ...theirs.signed(), key: ours.key }],
    ["changed after it was signed", { key: ours.key, order: withChanges(signer("org_1")).signed().order }],
    ["signed for something else", ours.signed({}, "")],
    ["without a signature", { key: ours.key, order: ours.signed().order.split(".")[0] }],
    ["with another part", { key: ours.key, order: `${ours.signed().order}.x` }],
    ["of a key that is none", { key: "org_1:x", order: ours.signed().order }],
    ["too long", { key: ours.key, order: "x".repeat(sdkLimits.watchOrderBytesMax + 1) }],
    ["not an object", 7],
  ])("is refused without a trusted signature: %s", (_what, answer) => {
    expect(refused(answer)).not.toBeNull();
  });

  it.each([
    ["for another service", { service: "cart" }],
    ["for another environment", { env: "STAGING" }],
    ["for another release", { release: "8" }],
    ["for another organization", { organization: "org_2" }],
    ["that has expired", { expires_at: at(0) }],
    ["of more than an hour", { issued_at: at(0), expires_at: at(hourMs + 1) }],
    ["from the future", { issued_at: at(sdkLimits.watchClockSkewMs + 1), expires_at: at(hourMs) }],
    ["without a time", { expires_at: "soon" }],
    ["without places", { places: [] }],
    ["of too many places", { places: Array.from({ length: watchLimits.watchPlacesMax + 1 }, () => place) }],
    ["of a place without a digest", { places: [{ ...place, sha256: "" }] }],
    ["of a line that is none", { places: [{ ...place, line: 0 }] }],
  ])("is refused though it is signed: %s", (_what, changes) => {
    expect(refused(ours.signed(changes))).not.toBeNull();
  });

  it("lasts an hour, ten places, and a clock five minutes behind", () => {
    expect(refused(ours.signed({ issued_at: at(0), expires_at: at(hourMs) }))).toBeNull();
    expect(
      refused(ours.signed({ places: Array.from({ length: watchLimits.watchPlacesMax }, () => place) })),
    ).toBeNull();
    const ahead = { issued_at: at(sdkLimits.watchClockSkewMs), expires_at: at(hourMs) };
    expect(refused(ours.signed(ahead))).toBeNull();
  });
});
