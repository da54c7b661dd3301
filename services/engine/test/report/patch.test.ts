import { createHash } from "node:crypto";
import { filesOfDiff, type Patch, type Report, verifyWithSources, withDiff } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { bookOf } from "../../src/report/evidence-book.ts";
import { english } from "../../src/report/messages.en.ts";
import { patchOf } from "../../src/report/patch.ts";
import type { DeployFact } from "../../src/signals/facts/deploy-fact.ts";
import { SourceText } from "../../src/source/source-text.ts";
import { investigated, textSubject } from "../investigated.ts";
import { changedCase } from "../signals/facts/changed-cases.ts";
import { ownDeploy, site } from "./written-reports.ts";

type Files = Readonly<Record<string, string>>;

async function reportOn(message: string, frames: readonly string[], files: Files): Promise<Report> {
  const log = [message, ...frames.map((frame) => `    at ${frame}`)].join("\n");
  return (await investigated(textSubject(log, files))).report;
}

/** The files after the patch. */
function patched({ diff }: Patch, files: Files): Record<string, string | null> {
  const parts = filesOfDiff(diff);
  return Object.fromEntries(parts.map(({ path, part }) => [path, withDiff(files[path] ?? "", part)]));
}

const sourcesOf = (files: Files) =>
  Object.entries(files).map(([name, text]) => ({
    ...{ name, text, sha256: createHash("sha256").update(text, "utf8").digest("hex") },
  }));

const orders: Files = {
  "src/orders.js": `import { loadLines } from "./lines.js";

export async function totalOf(order) {
  const lines = loadLines(order);
  return lines.map((line) => line.price).length;
}
`,
  "src/lines.js": `export async function loadLines(order) {
  return order.lines;
}
`,
};

const failing = ["totalOf (/app/src/orders.js:5:16)", "handle (/app/src/server.js:3:1)"];
const notCalled = "TypeError: lines.map is not a function";

describe("the patch of a report", () => {
  it("is a diff that applies to the given source, with the evidence for it", async () => {
    const report = await reportOn(notCalled, failing, orders);
    const { patch } = report;
    expect(patch?.diff).toBe(`--- a/src/orders.js
+++ b/src/orders.js
@@ -1,6 +1,6 @@
 import { loadLines } from "./lines.js";
 
 export async function totalOf(order) {
-  const lines = loadLines(order);
+  const lines = await loadLines(order);
   return lines.map((line) => line.price).length;
 }
`);
    expect(patch).toMatchObject({
      ...{ kind: "unawaited-value", what: "Awaits `loadLines`, so what follows gets its value and its errors." },
      files: [{ file: "src/orders.js" }],
    });
    expect(report.provenance.patch).toBe("server");
  });

  it("is checked offline", async () => {
    const report = await reportOn(notCalled, failing, orders);
    const patchIn = (files: Files): unknown => verifyWithSources(report, sourcesOf(files)).patch;
    expect(patchIn(orders)).toBe("applies");
    expect(patchIn({ ...orders, "src/orders.js": `// new\n${orders["src/orders.js"]}` })).toBe("other version");
    expect(patchIn({})).toBe("not given");
  });

  it("isn't offered in a function that can't wait", async () => {
    const files = { ...orders, "src/orders.js": (orders["src/orders.js"] ?? "").replace("async ", "") };
    expect((await reportOn(notCalled, failing, files)).patch).toBeUndefined();
  });

  it("isn't offered for a promise that is forgotten beside the place", async () => {
    const files = {
      ...orders,
      "src/orders.js": `import { loadLines } from "./lines.js";
import { track } from "./track.js";
export async function totalOf(order) {
  track(order);
  const lines = order.isOpen ? loadLines(order) : loadLines(order.first);
  return lines.map((line) => line.price).length;
}
`,
      "src/track.js":
        "export async function track(order) {\n  await fetch('https://track.example', { body: order.id });\n}\n",
    };
    const frames = ["totalOf (/app/src/orders.js:6:16)", "handle (/app/src/server.js:3:1)"];
    expect((await reportOn(notCalled, frames, files)).patch).toBeUndefined();
  });

  it("isn't offered for the lines around a frame", async () => {
    expect((await reportOn(notCalled, failing, {})).patch).toBeUndefined();
  });

  it("keeps the line endings of the file", async () => {
    const files = Object.fromEntries(
      Object.entries(orders).map(([name, text]) => [name, text.replaceAll("\n", "\r\n")]),
    );
    const { patch } = await reportOn(notCalled, failing, files);
    expect(patch && patched(patch, files)["src/orders.js"]).toBe(
      files["src/orders.js"]?.replace("= loadLines", "= await loadLines"),
    );
  });
});

describe("the lines that a suspect release changed", () => {
  const effect = { kind: "line", file: site.file, line: 13 } as const;
  const lines = [
    ...Array.from({ length: 12 }, (_, index) => `// line ${index + 1}`),
    "  return { total: amount };",
    "",
  ];
  const patchWith = async (verdict: DeployFact["verdict"], text: string) => {
    const { findings, traced, ranking } = changedCase({ ...ownDeploy, verdict }, effect);
    const files = [new SourceText("source_file", site.file, text)];
    const repairs = { of: () => [], parses: async () => true };
    const given = { findings: { ...findings, files }, traced: { ...traced, repairs }, ranking };
    return (await patchOf({ ...given, book: bookOf(findings), messages: english })).patch;
  };

  it("are restored where no other repair is known", async () => {
    const patch = await patchWith("suspect", lines.join("\n"));
    expect(patch).toMatchObject({ kind: "release-change", repair: "revert" });
    expect(patch?.diff).toContain("-  return { total: amount };\n+  return { amount };\n");
  });

  it("are left where no comparison suspects the release", async () => {
    expect(await patchWith("near", lines.join("\n"))).toBeNull();
  });

  it("are left where the source has other lines there", async () => {
    expect(await patchWith("suspect", ["// new", ...lines].join("\n"))).toBeNull();
  });
});
