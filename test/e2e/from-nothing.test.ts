import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { fencesIn } from "../markdown.ts";
import { readRepositoryFile, root } from "../repository-files.ts";
import { type Reader, startReader } from "../servers/reader.ts";
import { eventually } from "../servers/server-process.ts";
import { lineOf } from "./reporting-programs.ts";

const guide = fencesIn(readRepositoryFile("docs/from-nothing.md"));
const blocksOf = (language: string) => guide.flatMap((fence) => (fence.language === language ? [fence.text] : []));

let reader: Reader;
beforeAll(async () => {
  reader = await startReader(join(root, "sdks/protocol/src/index.ts"), ["zod"], { WHENCE_BOOTSTRAP_API_KEY: "" });
});
afterAll(() => reader?.leave());

/** Returns the keys that the first start printed: the reader's own, and the one that only sends. */
const printedKeys = () =>
  eventually("both keys", async () => {
    const [own, sending] = reader.server.output().match(/whk_\w+/g) ?? [];
    return own && sending ? { own, sending } : undefined;
  });

describe("docs/from-nothing.md, followed command by command", () => {
  const [start, install, fail, read, ...others] = blocksOf("sh");
  const [program] = blocksOf("js");

  it("has nothing to run but these commands", () => {
    expect([install, fail, read, program]).not.toContain(undefined);
    expect(others).toEqual([]);
    const { scripts } = z
      .object({ scripts: z.object({ start: z.string() }) })
      .parse(JSON.parse(readRepositoryFile("package.json")));
    expect(start).toBe("npx -y pnpm@12 start\n");
    // What the reader's service runs.
    expect(scripts.start).toContain("services/server/start.ts");
  });

  it("ends with a report that names the line, as printed in the guide", async () => {
    const { own, sending } = await printedKeys();
    const folder = await reader.folder();
    await reader.follow(install ?? "", folder);
    await writeFile(join(folder, "orders.mjs"), reader.atServer(program ?? ""));
    await expect(reader.follow((fail ?? "").replace("whk_…", sending), folder)).rejects.toThrow("reading 'length'");
    const [variables = "", installCommand = "", list = ""] = (read ?? "").replace("whk_…", own).split("\n");
    await reader.follow(installCommand, folder);
    const printed = await eventually("the report", async () => {
      const { stdout } = await reader.follow(`${variables}\n${list}`, folder);
      return stdout.includes("%") ? stdout : undefined;
    });
    const [shown = ""] = blocksOf("text");
    const steady = (text: string) => text.replace(/inc_\w+|\d{4}-\S+Z|\d+%/g, "…").trim();
    expect(steady(printed)).toBe(steady(shown));
    expect(printed).toContain(`orders.mjs:${await lineOf(join(folder, "orders.mjs"), "order.lines.length")}`);
  });
});
