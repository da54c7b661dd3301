import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { attachment } from "../../src/runtime/attachment.ts";

describe("a value attached to an object of the program's", () => {
  it("is found again on the same object", () => {
    const notes = attachment<string>();
    const [request, copy] = [{ url: "/a" }, { url: "/a" }];
    notes.to(request, "first");
    expect([notes.of(request), notes.of(copy)]).toEqual(["first", undefined]);
  });

  it("isn't visible on it", () => {
    const request = { url: "/a" };
    attachment<string>().to(request, "secret");
    expect(Reflect.ownKeys(request)).toEqual(["url"]);
    expect(inspect(request, { showHidden: true })).toBe("{ url: '/a' }");
    expect({ ...request }).toEqual({ url: "/a" });
  });

  it("is replaced by another", () => {
    const notes = attachment<string>();
    const request = {};
    notes.to(request, "first");
    notes.to(request, "second");
    expect(notes.of(request)).toBe("second");
  });

  it("is separate from other attachments", () => {
    const [notes, others] = [attachment<string>(), attachment<string>()];
    const request = {};
    notes.to(request, "ours");
    expect(others.of(request)).toBeUndefined();
  });

  it.each([
    ["a frozen object", () => Object.freeze({ url: "/a" })],
    ["a revoked proxy", revokedProxy],
  ])("is found at %s", (_name, make) => {
    const notes = attachment<string>();
    const request = make();
    notes.to(request, "first");
    notes.to(request, "second");
    expect(notes.of(request)).toBe("second");
  });
});

function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
