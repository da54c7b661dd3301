import { describe, expect, it } from "vitest";
import { firstMatch } from "../../src/index.ts";

const rule = (match: "service" | "path", pattern: string) => ({ match, pattern });
const owns = (pattern: string, path: string) =>
  firstMatch([rule("path", pattern)], { service: null, path }) !== undefined;

describe("an ownership rule", () => {
  it("matches a service by its name, and the first that matches decides", () => {
    const rules = [rule("path", "db/**"), rule("service", "cart"), rule("path", "**")];
    expect(firstMatch(rules, { service: "cart", path: null })).toBe(rules[1]);
    expect(firstMatch(rules, { service: "cart", path: "db/pool.ts" })).toBe(rules[0]);
    expect(firstMatch(rules, { service: "carts", path: "a.ts" })).toBe(rules[2]);
    expect(firstMatch(rules, { service: null, path: null })).toBeUndefined();
  });

  it("matches files below a folder, wherever the folder is", () => {
    expect(owns("services/cart/**", "services/cart/src/total.ts")).toBe(true);
    expect(owns("services/cart/**", "/app/services/cart/total.ts")).toBe(true);
    expect(owns("services/cart/**", "C:\\app\\services\\cart\\total.ts")).toBe(true);
    expect(owns("services/cart/**", "services/carts/total.ts")).toBe(false);
    expect(owns("services/cart/**", "my-services/cart/total.ts")).toBe(false);
  });

  it("matches names by * within a folder, and folders by **", () => {
    expect(owns("src/*.ts", "src/total.ts")).toBe(true);
    expect(owns("src/*.ts", "src/cart/total.ts")).toBe(false);
    expect(owns("src/**/total.*", "src/a/b/total.ts")).toBe(true);
    expect(owns("src/**/total.*", "src/total.ts")).toBe(true);
    expect(owns("src/t*a*l.ts", "src/total.ts")).toBe(true);
    expect(owns("src/t*x*l.ts", "src/total.ts")).toBe(false);
    expect(owns("a/**/b/**/c", "a/b/x/b/y/c")).toBe(true);
  });

  it("takes no longer for a pattern that nearly matches in many ways", () => {
    expect(owns(`${"*a".repeat(90)}b`, "a".repeat(1_000))).toBe(false);
  });
});
