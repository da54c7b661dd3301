import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { investigated } from "../investigated.ts";
import { eventSubject, exception, foreignFrame, frameAt, type Program, reportedEvent } from "../reported-event.ts";

const program: Program = {
  "/srv/shop/src/plan.js": `const plans = new Map();
export function planOf(id) {
  return plans.get(id);
}
`,
  "/srv/shop/src/price.js": `import { planOf } from "./plan.js";
export function priceOf(id) {
  const plan = planOf(id);
  return plan.price;
}
`,
};

async function watchFor(files: Program) {
  const message = "Cannot read properties of undefined (reading 'price')";
  const frames = [
    frameAt(program, "/srv/shop/src/price.js", "price;", "priceOf"),
    foreignFrame("/srv/shop/node_modules/router/index.js", 7, "next"),
  ];
  const { incident, input } = eventSubject(
    reportedEvent({ exceptions: [exception("TypeError", message, frames)] }),
    "shop",
  );
  if (input.kind !== "event") throw new Error("not an event");
  const gathered = Object.entries(files).map(([name, content]) => ({ name, path: name, content, version: "1.4.2" }));
  const { report } = await investigated({ incident, input: { ...input, files: gathered } });
  return report.watch;
}

describe("the places of a report on an event", () => {
  it("are in the program's own files, with the digest of each", async () => {
    const watch = (await watchFor(program)) ?? [];
    expect(watch.map(({ file, function: name }) => [file.slice("/srv/shop/src/".length), name])).toEqual(
      expect.arrayContaining([
        ["price.js", "priceOf"],
        ["plan.js", "planOf"],
      ]),
    );
    for (const { file, sha256 } of watch)
      expect(sha256).toBe(
        createHash("sha256")
          .update(program[file] ?? "")
          .digest("hex"),
      );
  });

  it("are none where no whole file was read", async () => {
    expect(await watchFor({})).toBeUndefined();
  });
});
