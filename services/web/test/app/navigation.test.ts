import { describe, expect, it } from "vitest";
import { navigation, settingsPages } from "../../src/app/navigation.ts";
import { hiddenPaths, paths } from "../../src/config/paths.ts";

describe("the navigation", () => {
  it("has each page once, with its own keys", () => {
    expect(new Set(navigation.map(({ to }) => to)).size).toBe(navigation.length);
    expect(new Set(navigation.map(({ keys }) => keys)).size).toBe(navigation.length);
  });

  it("has two keys for each page; the first is g", () => {
    for (const { keys } of navigation) expect(keys).toMatch(/^g \S$/);
  });

  it("has every visible settings page", () => {
    const shown = Object.values(paths).filter((path) => path.startsWith("/settings/") && !hiddenPaths.has(path));
    expect(settingsPages.map(({ to }) => to).toSorted()).toEqual(shown.toSorted());
  });

  it("has no hidden page", () => {
    const linked: readonly string[] = [...navigation, ...settingsPages].map(({ to }) => to);
    for (const path of hiddenPaths) expect(linked).not.toContain(path);
  });
});
