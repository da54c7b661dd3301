import { describe, expect, it } from "vitest";
import { shortPath, withoutHomeFolder, withoutHomeFolders } from "../../src/index.ts";

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
    ["/Users/alice", "~"],
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
    "route /home/feed failed, as `/home/feed` and https://shop.example?next=/home/feed",
    "`/Users/:id` and `/Users/{id}`",
    "https://shop.example/home/dashboard",
    "/srv/app/home/page.js",
    "/roots/app.js",
  ])("isn't seen in %s", (text) => {
    expect(withoutHomeFolder(text)).toBe(text);
  });
});

describe("a patch of a report without home folders", () => {
  it("still applies to code that names one", () => {
    const patch = { what: "in /home/alice/app.js", diff: ' const cache = "/home/node/app/cache";\n' };
    expect(withoutHomeFolders({ patch })).toEqual({ patch: { ...patch, what: "in ~/app.js" } });
  });
});

describe("a short path", () => {
  it("is the folder and the name of an absolute path, and the whole path in a repository", () => {
    expect(shortPath("/srv/shop/storefront/money.ts")).toBe("storefront/money.ts");
    expect(shortPath("services/web/src/money.ts")).toBe("services/web/src/money.ts");
  });
});
