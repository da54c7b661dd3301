import { describe, expect, it } from "vitest";
import { offeredMentions, withMention } from "../../../../src/features/incidents/course/mention.ts";

const ada = { id: "usr_1", name: "Ada Lovelace", email: "ada@example.com" };
const grace = { id: "usr_2", name: "Grace", email: "hopper@example.com" };
const other = { id: "usr_3", name: "Grace", email: "grace@example.com" };
const members = [ada, grace, other];
const offered = (text: string) => offeredMentions(text, members).map(({ id }) => id);

describe("a mention in a comment", () => {
  it("offers the members whose name or email address begins so", () => {
    expect(offered("Ask @love")).toEqual([ada.id]);
    expect(offered("Ask @HOP")).toEqual([grace.id]);
    expect(offered("@")).toEqual([ada.id, grace.id, other.id]);
  });

  it("offers no one before it begins, in an address, or once it is over", () => {
    expect(["Ask", "mail me@ada", "@Ada "].flatMap(offered)).toEqual([]);
  });

  it("is completed by name, or by email address where the name is shared", () => {
    expect(withMention("Ask @love", ada, members)).toBe("Ask @Ada Lovelace ");
    expect(withMention("Ask @hop", grace, members)).toBe("Ask @hopper@example.com ");
    expect(withMention("Ask @$", { ...ada, name: "$&" }, members)).toBe("Ask @$& ");
  });
});
