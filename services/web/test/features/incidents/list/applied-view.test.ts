import type { SavedView } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { appliedView, filterOf, keptFilter } from "../../../../src/features/incidents/list/applied-view.ts";

const view = (id: string, filter: SavedView["filter"]): SavedView => ({
  ...{ id, name: id, filter, shared: false, mine: true, by: "Ada" },
});

describe("a saved view", () => {
  it("keeps the filters that are set", () => {
    expect(keptFilter({ service: "cart", sort: "events", env: undefined })).toEqual({
      service: "cart",
      sort: "events",
    });
  });

  it("is applied while the list has its filters, in whatever order, and no others", () => {
    const views = [view("open", { state: "open" }), view("cart", { service: "cart", sort: "events" })];
    expect(appliedView(views, { sort: "events", service: "cart" })?.id).toBe("cart");
    expect(appliedView(views, { sort: "events", service: "cart", env: "PROD" })).toBeUndefined();
    expect(appliedView(views, {})).toBeUndefined();
  });

  it("leaves out what the list doesn't know", () => {
    expect(filterOf({ filter: { severity: "huge", service: "cart" } })).toEqual({ service: "cart" });
  });
});
