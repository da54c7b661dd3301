import { describe, expect, it } from "vitest";
import { mentionedIn } from "../../src/index.ts";

const ada = { name: "Ada", email: "ada@example.com" };
const lovelace = { name: "Ada Lovelace", email: "lovelace@example.com" };
const grace = { name: "Grace Hopper", email: "grace@example.com" };
const members = [ada, lovelace, grace];
const mentioned = (text: string, of = members) => mentionedIn(text, of).map(({ email }) => email);

describe("the members whom a comment mentions", () => {
  it("are named by name or email address, in any case", () => {
    expect(mentioned("@grace hopper and @ADA@example.com.")).toEqual([ada.email, grace.email]);
    expect(mentioned("(@Ada)")).toEqual([ada.email]);
  });

  it("are those with the longest name that fits", () => {
    expect(mentioned("@Ada Lovelace, please")).toEqual([lovelace.email]);
    expect(mentioned("@Ada, please")).toEqual([ada.email]);
  });

  it("aren't those whose name only begins a word, or stands in an address", () => {
    expect(mentioned("@Adam, Ada, @Gräce Hopper")).toEqual([]);
    expect(mentioned("mail support@ada or @ada@elsewhere.com")).toEqual([]);
  });

  it("are all who have the name", () => {
    const other = { name: "ADA", email: "ada@other.example" };
    expect(mentioned("@Ada", [ada, other])).toEqual([ada.email, other.email]);
  });

  it("are none without a name", () => {
    expect(mentioned("@ and @@", [{ name: " ", email: "" }])).toEqual([]);
  });
});
