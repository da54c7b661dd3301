import { describe, expect, it } from "vitest";
import { pathRoots } from "../../src/code-hosts/path-roots.ts";

const paths = ["src/cart.ts", "src/orders/cart.ts", "services/web/src/index.ts", "index.ts", "README.md"];

describe("how a program's paths map to its repository's", () => {
  it("is what comes before the part that is the same", () => {
    expect(pathRoots(["/srv/shop/src/orders/cart.ts"], paths)).toEqual([{ from: "/srv/shop/", to: "" }]);
    expect(pathRoots(["/app/src/index.ts"], paths)).toEqual([{ from: "/app/", to: "services/web/" }]);
    expect(pathRoots(["src/cart.ts"], paths)).toEqual([{ from: "", to: "" }]);
  });

  it("is said once for all files below it", () => {
    const files = ["/srv/shop/src/cart.ts", "/srv/shop/src/orders/cart.ts"];
    expect(pathRoots(files, paths)).toEqual([{ from: "/srv/shop/", to: "" }]);
  });

  it("isn't known for a file that no other part of its path tells apart, or that isn't there", () => {
    expect(pathRoots(["/app/cart.ts"], paths)).toEqual([]);
    expect(pathRoots(["/app/src/missing.ts"], paths)).toEqual([]);
    expect(pathRoots(["/app/src/cart.ts"], [])).toEqual([]);
  });

  it("has the longest beginning first, and an empty one last", () => {
    const files = ["src/cart.ts", "/app/src/index.ts", "/srv/shop/src/orders/cart.ts"];
    expect(pathRoots(files, paths).map(({ from }) => from)).toEqual(["/srv/shop/", "/app/", ""]);
  });
});
