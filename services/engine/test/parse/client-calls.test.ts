import { describe, expect, it } from "vitest";
import { parseEvent, parseText } from "../../src/index.ts";
import { exception, foreignFrame, reportedEvent } from "../reported-event.ts";

const own = { file: "/srv/shop/orders.js", line: 7, column: 3, function: "place" };
const driver = foreignFrame("/srv/shop/node_modules/better-sqlite3/lib/wrappers.js", 5, "prepare");
const wrappers = [
  "/srv/shop/node_modules/@whence/node/dist/databases/sqlite.cjs",
  "/srv/shop/node_modules/.pnpm/@whence+node@1.0.0/node_modules/@whence/node/dist/index.js",
  "/srv/shop/.venv/lib/python3.12/site-packages/whence/frameworks/asgi.py",
];

describe("calls of Whence's own client on a stack", () => {
  it.each(wrappers)("are left out of an event: %s", (wrapper) => {
    const thrown = exception("SqliteError", "no such column: due_on", [driver, foreignFrame(wrapper, 1, "y"), own]);
    const [parsed] = parseEvent(reportedEvent({ exceptions: [thrown] })).exceptions;
    expect(parsed?.frames.map(({ file }) => file)).toEqual([driver.file, own.file]);
  });

  it("are left out of a pasted stack", () => {
    const log = `TypeError: x is not a function
    at place (/srv/shop/orders.js:7:3)
    at pt.run (file:///srv/shop/node_modules/@whence/node/dist/index.js:6:7536)
    at next (/srv/shop/node_modules/fastify/lib/hooks.js:236:9)`;
    const [parsed] = parseText(log).exceptions;
    expect(parsed?.frames.map(({ function: name }) => name)).toEqual(["place", "next"]);
  });

  it("stay when nothing else is on it", () => {
    const thrown = exception("TypeError", "x is not a function", [foreignFrame(wrappers[0] ?? "", 1, "y")]);
    const [parsed] = parseEvent(reportedEvent({ exceptions: [thrown] })).exceptions;
    expect(parsed?.frames).toHaveLength(1);
  });

  it.each(["/srv/shop/src/whence/report.js", "/srv/shop/node_modules/whence/index.js"])(
    "are not the calls of other code of that name: %s",
    (file) => {
      const thrown = exception("TypeError", "x is not a function", [foreignFrame(file, 1, "y"), own]);
      const [parsed] = parseEvent(reportedEvent({ exceptions: [thrown] })).exceptions;
      expect(parsed?.frames).toHaveLength(2);
    },
  );
});
