import type { ViewChange } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { ControlDb } from "../../../src/index.ts";
import { member, organization } from "./samples.ts";

const view = (name: string, changes: Partial<ViewChange> = {}): ViewChange => ({
  ...{ name, filter: { state: "open", search: "service:cart" }, shared: false },
  ...changes,
});

/** What every database does about the views that members save. */
export function describeViews(name: string, db: () => ControlDb): void {
  describe(`${name}: saved views`, () => {
    const twoMembers = async () => {
      const scopeId = await organization(db());
      const [ada, grace] = [await member(db(), scopeId), await member(db(), scopeId)];
      const { views } = db().scope(scopeId);
      const names = async (userId: string) => (await views.list(userId)).map((one) => [one.name, one.mine]);
      return { scopeId, views, names, ada: ada.userId, grace: grace.userId };
    };

    it("are seen by who saved them, and by every member once shared, by name", async () => {
      const { views, names, ada, grace } = await twoMembers();
      const saved = await views.add(ada, view("mine"), 10);
      expect(saved).toMatchObject({ ...view("mine"), mine: true, by: "Ada" });
      await views.add(ada, view("cart", { shared: true }), 10);
      expect(await names(ada)).toEqual([
        ["cart", true],
        ["mine", true],
      ]);
      expect(await names(grace)).toEqual([["cart", false]]);
    });

    it("are changed and removed by who saved them alone", async () => {
      const { views, names, ada, grace } = await twoMembers();
      const saved = await views.add(ada, view("cart", { shared: true }), 10);
      const id = typeof saved === "string" ? saved : saved.id;
      expect([await views.replace(grace, id, view("taken")), await views.remove(grace, id)]).toEqual([null, false]);
      expect(await views.replace(ada, id, view("basket"))).toMatchObject({ name: "basket", shared: false });
      expect([await names(grace), await names(ada)]).toEqual([[], [["basket", true]]]);
      expect([await views.remove(ada, id), await views.remove(ada, id)]).toEqual([true, false]);
    });

    it("are as many as a member may have, also when several are saved at once", async () => {
      const { views, ada, grace } = await twoMembers();
      const saved = await Promise.all(["a", "b", "c"].map((one) => views.add(ada, view(one), 2)));
      expect(saved.filter((one) => one === "full")).toHaveLength(1);
      expect(await views.add(grace, view("d"), 2)).toMatchObject({ name: "d" });
    });

    it("belong to one organization, and to its members", async () => {
      const { views, ada } = await twoMembers();
      const other = await twoMembers();
      const saved = await views.add(ada, view("cart", { shared: true }), 10);
      const id = typeof saved === "string" ? saved : saved.id;
      expect(await other.names(other.ada)).toEqual([]);
      expect(await other.views.add(ada, view("foreign"), 10)).toBe("no-member");
      expect([await other.views.replace(other.ada, id, view("x")), await other.views.remove(other.ada, id)]).toEqual([
        null,
        false,
      ]);
    });
  });
}
