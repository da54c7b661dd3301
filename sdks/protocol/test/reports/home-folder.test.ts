import { describe, expect, it } from "vitest";
import { shortPath, withoutHomeFolder } from "../../src/index.ts";

describe("a home folder", () => {
  it.each([
    ["/home/alice/app.js", "~/app.js"],
    ["/Users/alice/app.js", "~/app.js"],
    ["C:\\Users\\alice\\app.js", "~/app.js"],
    ["C:\\Users\\Alice Smith\\app.js", "~/app.js"],
    ["file:///C:/Users/alice/app.js", "~/app.js"],
    ["file:///home/alice/app.js", "~/app.js"],
    ["/mnt/c/Users/alice/app.js", "~/app.js"],
    ["/root/app.js", "~/app.js"],
    ["/home/alice/shop/src/app.js", "src/app.js"],
    ["/home/alice", "~"],
  ])("isn't named by the short path of %s", (path, short) => {
    expect(shortPath(path).replace("file:///", "")).toBe(short);
  });

  it.each([
    ["open '/home/alice/.env' failed", "open '~/.env' failed"],
    ["ENOENT: C:\\Users\\alice\\app.js:3", "ENOENT: ~\\app.js:3"],
    ["PATH=/usr/bin:/home/alice/bin", "PATH=/usr/bin:~/bin"],
    ["in `/Users/alice`, line 3", "in `~`, line 3"],
    ["at total (file:///home/alice/cart.js:3:5)", "at total (file://~/cart.js:3:5)"],
  ])("is ~ in the text %s", (text, shown) => {
    expect(withoutHomeFolder(text)).toBe(shown);
  });

  it.each([
    "src/home/page/app.js",
    "GET /home/dashboard failed",
    "`/Users/:id` and `/Users/{id}`",
    "https://shop.example/home/dashboard",
    "/srv/app/home/page.js",
    "/roots/app.js",
  ])("isn't seen in %s", (text) => {
    expect(withoutHomeFolder(text)).toBe(text);
  });
});

describe("a short path", () => {
  it("is the folder and the name of an absolute path, and the whole path in a repository", () => {
    expect(shortPath("/srv/shop/storefront/money.ts")).toBe("storefront/money.ts");
    expect(shortPath("services/web/src/money.ts")).toBe("services/web/src/money.ts");
  });
});
