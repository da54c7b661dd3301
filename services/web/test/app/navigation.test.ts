import { describe, expect, it } from "vitest";
import { navigation, settingsPages } from "../../src/app/navigation.ts";
import { paths } from "../../src/config/paths.ts";

describe("the navigation", () => {
  it("has each page once, with its own keys", () => {
    expect(new Set(navigation.map(({ to }) => to)).size).toBe(navigation.length);
    expect(new Set(navigation.map(({ keys }) => keys)).size).toBe(navigation.length);
  });

  it("has two keys for each page; the first is g", () => {
    for (const { keys } of navigation) expect(keys).toMatch(/^g \S$/);
  });

  it("has every settings page", () => {
    const shown = Object.values(paths).filter((path) => path.startsWith("/settings/"));
    expect(settingsPages.map(({ to }) => to).toSorted()).toEqual(shown.toSorted());
  });
});
