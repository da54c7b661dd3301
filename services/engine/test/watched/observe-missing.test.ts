import { createHash } from "node:crypto";
import type { Hit } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { eventSubject, exception, frameAt, type Program, reportedEvent } from "../reported-event.ts";
import { investigated, textSubject } from "../testing.ts";

const stop = { values: {}, thread: "1-0", nth: 1, callers: [] } satisfies Partial<Hit>;

describe("a call that was seen to pass nothing for the argument that failed", () => {
  const files = {
    "src/walk.js": `class Walker {
  run(visitor, element) {
    const visit = visitor.enter;
    return visit.call(this, element.node);
  }
}
function walk(tree, visitor) {
  return new Walker().run(visitor, { node: tree, parent: null });
}
module.exports = { walk };
`,
    "src/rename.js": `const { walk } = require("./walk.js");
function rename(tree) {
  return walk(tree, {
    enter(node, parent) {
      return parent.type === "Call" ? node : null;
    },
  });
}
module.exports = { rename };
`,
  };
  const error = "TypeError: Cannot read properties of undefined (reading 'type')";
  const errorLog = `${error}
    at enter (/app/src/rename.js:5:21)
    at Walker.run (/app/src/walk.js:4:18)
    at walk (/app/src/walk.js:8:23)
    at rename (/app/src/rename.js:3:10)
`;
  const run = { file: "src/walk.js", line: 4, function: "run", starts: 2 };
  const threw: Hit = {
    ...{
      ...stop,
      kind: "threw",
      file: "src/rename.js",
      line: 5,
      function: "enter",
      starts: 4,
      error,
      at_ms: 9,
      nth: 0,
    },
    ...{ values: { node: "{}", parent: "undefined" }, callers: [run] },
  };
  const reportOn = async (hits: Hit[], texts: Record<string, string> = files) => {
    const subject = textSubject(errorLog, texts);
    if (subject.input.kind !== "text") throw new Error("no text");
    const observed = { runs: [{ run: 2, places: [], hits }] };
    return (await investigated({ ...subject, input: { ...subject.input, observed } })).report;
  };
  const said =
    "`parent` was already missing at `enter` (`src/rename.js:5`) 0 ms before the throw in run 2; `run` (`src/walk.js:4`) doesn't pass it";

  it("leads the report, undecided", async () => {
    const { candidates } = await reportOn([threw]);
    expect(candidates[0]).toMatchObject({ location: { file: "src/walk.js", line: 4 } });
    expect(candidates[0]?.support).toContain(said);
    expect(candidates[0]?.seen).toBeUndefined();
  });

  it.each<[string, Hit, Record<string, string>]>([
    [
      "passes another value",
      threw,
      { ...files, "src/walk.js": files["src/walk.js"].replace("element.node)", "element.node, null)") },
    ],
    [
      "leaves out more than one, which are optional",
      threw,
      { ...files, "src/walk.js": files["src/walk.js"].replace("call(this, element.node)", "call(this)") },
    ],
    [
      "passes a list of arguments",
      threw,
      { ...files, "src/walk.js": files["src/walk.js"].replace("element.node)", "...element)") },
    ],
    ["got the value", { ...threw, values: { ...threw.values, parent: "{}" } }, files],
  ])("isn't one that %s", async (_, hit, texts) => {
    const { candidates } = await reportOn([hit], texts);
    expect(candidates.flatMap(({ support }) => support).join()).not.toContain("doesn't pass it");
  });
});

describe("a value that was missing before a function of the running program ran", () => {
  const [order, payments, routes] = ["/srv/shop/src/order.js", "/srv/shop/src/payments.js", "/srv/shop/src/routes.js"];
  const program: Program = {
    [routes]: `import { placeOrder } from "./order.js";
export async function answer(request) {
  return placeOrder(request.body);
}
`,
    [order]: `import { capture } from "./payments.js";
export async function placeOrder({ sku, address }) {
  const payment = await capture(address, sku);
  return { payment, city: address.city };
}
`,
    [payments]: `export async function capture(address, sku) {
  return { id: sku };
}
`,
  };
  const sha256Of = (file: string) =>
    createHash("sha256")
      .update(program[file] ?? "")
      .digest("hex");
  const places = [
    { file: order, line: 4, function: "placeOrder", starts: 2, sha256: sha256Of(order) },
    { file: payments, line: 2, function: "capture", starts: 1, sha256: sha256Of(payments) },
    { file: routes, line: 3, function: "answer", starts: 2, sha256: sha256Of(routes) },
  ];
  const message = "Cannot read properties of undefined (reading 'city')";
  const atOrder: Hit = {
    ...{ ...stop, kind: "reached", file: order, line: 4, function: "placeOrder", starts: 2, at_ms: 9 },
    values: { sku: '"k1"', address: "undefined" },
  };
  const captured = (callers: Hit["callers"]): Hit => ({
    ...{ ...stop, kind: "reached", file: payments, line: 2, function: "capture", starts: 1, at_ms: 5, callers },
    values: { sku: '"k1"' },
  });
  const within = [{ file: order, line: 3, function: "placeOrder", starts: 2 }];
  const reportOn = async (hits: Hit[]) => {
    const event = reportedEvent({
      exceptions: [exception("TypeError", message, [frameAt(program, order, "city: address", "placeOrder")])],
      request: { method: "POST", path: "/orders", headers: {} },
    });
    const { incident, input } = eventSubject(event, "shop");
    if (input.kind !== "event") throw new Error("not an event");
    const complete = places.map((_, place) => ({ place, hits: 1, is_complete: true }));
    const watched = { order: "wat_1", at_ms: 12, places: complete, hits };
    const again = { ...event, id: "0197a9d0-0000-7000-8000-000000000002", watched };
    const gathered = Object.entries(program).map(([name, content]) => ({
      name,
      path: name,
      content,
      version: "1.4.2",
    }));
    const known = { ...input, files: gathered, watched: [{ event: again, places }] };
    return (await investigated({ incident, input: known })).report;
  };
  it("is evidence where it was seen", async () => {
    const { candidates } = await reportOn([captured(within), atOrder]);
    const [first] = candidates.filter(({ location }) => location?.function === "placeOrder");
    expect(first?.support.join("\n")).toContain(
      "`address` was already missing at `placeOrder` (`src/order.js:4`) 0 ms before the request failed at 10:00:00 UTC",
    );
  });

  it("refutes a function that ran only after that, in the call that got the value", async () => {
    const refuted = async (...hits: Hit[]) =>
      (await reportOn(hits)).candidates.flatMap(({ seen, location }) =>
        seen === "refuted" ? [location?.function] : [],
      );
    expect(await refuted(captured(within), atOrder)).toEqual(["capture"]);
    expect(await refuted(captured([]), atOrder)).toEqual([]);
    expect(await refuted(captured([]), captured(within), atOrder)).toEqual([]);
    expect(await refuted(atOrder)).toEqual([]);
  });
});
