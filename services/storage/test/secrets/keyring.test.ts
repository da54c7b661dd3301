import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createKeyring } from "../../src/secrets/keyring.ts";

const place = { scopeId: "org_1", name: "slack" };
const text = fc.string({ unit: "binary" });

describe("a keyring", () => {
  it("opens any text that it sealed, and never seals it the same way twice", () => {
    const keyring = createKeyring([randomBytes(32)]);
    fc.assert(
      fc.property(text, (secret) => {
        const envelope = keyring.seal(place, secret);
        expect(keyring.open(place, envelope)).toBe(secret);
        expect(keyring.seal(place, secret)).not.toBe(envelope);
      }),
    );
  });

  it("rejects an envelope with any character changed, removed, or added", () => {
    const keyring = createKeyring([randomBytes(32)]);
    const changed = fc.tuple(text, fc.nat(), fc.string({ maxLength: 2 }));
    fc.assert(
      fc.property(changed, ([secret, at, instead]) => {
        const envelope = keyring.seal(place, secret);
        const index = at % envelope.length;
        const forged = envelope.slice(0, index) + instead + envelope.slice(index + 1);
        expect(keyring.open(place, forged)).toBe(forged === envelope ? secret : null);
      }),
      { numRuns: 500 },
    );
  });

  it("rejects an envelope with any bit of any byte flipped", () => {
    const keyring = createKeyring([randomBytes(32)]);
    const envelope = keyring.seal(place, "xoxb-secret");
    for (let bit = 0; bit < envelope.length * 8; bit += 1) {
      const forged = Buffer.from(envelope);
      forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(keyring.open(place, forged.toString("latin1"))).toBeNull();
    }
  });

  it("rejects an envelope of another scope or another name, wherever they are split", () => {
    const keyring = createKeyring([randomBytes(32)]);
    const places = fc.record({ scopeId: fc.string(), name: fc.string() });
    fc.assert(
      fc.property(places, places, (one, other) => {
        fc.pre(one.scopeId !== other.scopeId || one.name !== other.name);
        expect(keyring.open(other, keyring.seal(one, "secret"))).toBeNull();
      }),
    );
  });

  it("seals with its first key and opens with any of them", () => {
    const [older, newer] = [randomBytes(32), randomBytes(32)];
    const before = createKeyring([older]);
    const both = createKeyring([newer, older]);
    expect(both.open(place, before.seal(place, "kept"))).toBe("kept");
    expect(createKeyring([newer]).open(place, both.seal(place, "new"))).toBe("new");
    expect(before.open(place, both.seal(place, "new"))).toBeNull();
  });

  it("gives a key the same name each time, and reveals nothing of it", () => {
    const key = randomBytes(32);
    const id = createKeyring([key]).currentKeyId();
    expect(createKeyring([Buffer.from(key)]).currentKeyId()).toBe(id);
    expect(createKeyring([randomBytes(32)]).currentKeyId()).not.toBe(id);
    expect(key.toString("hex")).not.toContain(id);
  });

  it("rejects a key that isn't 32 bytes long, and refuses to seal without one", () => {
    const invalid = expect.objectContaining({ code: "WHENCE_ERR_SECRET_KEY_INVALID" });
    for (const length of [0, 31, 33]) expect(() => createKeyring([randomBytes(length)])).toThrow(invalid);
    expect(() => createKeyring([]).seal(place, "secret")).toThrow(invalid);
    expect(createKeyring([]).open(place, createKeyring([randomBytes(32)]).seal(place, "secret"))).toBeNull();
  });
});
