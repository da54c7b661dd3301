import { describe, expect, it } from "vitest";
import { ofKind, signalsIn } from "../signals-in.ts";

const store = `export class Shelf {
  async put(jar) {
    await label(jar);
    this.jars.set(jar.id, jar);
  }
  async take(id) {
    const jar = this.jars.get(id);
    if (!jar) throw new NoJar(\`jar \${id} doesn't exist\`);
    return jar;
  }
}
`;
const pantry = (steps: string): string =>
  `import { Shelf } from "./shelf.js";\nconst shelf = new Shelf();\nexport async function fill(jar) {\n${steps}\n}\n`;

async function foundIn(steps: string, message = "NoJar: jar 7 doesn't exist"): Promise<object[]> {
  const line =
    pantry(steps)
      .split("\n")
      .findIndex((one) => one.includes("take")) + 1;
  const files = { "shelf.js": store, "pantry.js": pantry(steps) };
  const frames = ["Shelf.take (/srv/shelf.js:8:21)", `async fill (/srv/pantry.js:${line}:3)`];
  return ofKind(await signalsIn(files, message, ...frames), "missing-await").map(({ args }) => args);
}

describe("a call that nothing awaits", () => {
  it("is said to come before what failed for want of it", async () => {
    const found = await foundIn("  shelf.put(jar);\n  await shelf.take(jar.id);");
    expect(found).toEqual([{ callee: "put", how: "forgotten", before: "Shelf.take" }]);
  });

  it.each([
    ["comes later", "  await shelf.take(jar.id);\n  shelf.put(jar);", undefined],
    ["didn't leave anything out", "  shelf.put(jar);\n  await shelf.take(jar.id);", "RangeError: jar 7 is too large"],
  ])("isn't where it %s", async (_, steps, message) => {
    expect(await foundIn(steps, message)).toEqual([{ callee: "put", how: "forgotten" }]);
  });

  it("isn't found where it is awaited", async () => {
    expect(await foundIn("  await shelf.put(jar);\n  await shelf.take(jar.id);")).toEqual([]);
  });
});
