import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commands, parseLine } from "../src/command-line.ts";

const repository = join(import.meta.dirname, "../../..");
const documents = [
  "README.md",
  "docs/agents.md",
  "sdks/agent/README.md",
  "examples/agents/whence/skills/whence-rca/SKILL.md",
];
const read = (name: string) => readFile(join(repository, name), "utf8");

/** Returns the arguments of each `whence` command in the shell blocks. */
function commandLinesIn(markdown: string): string[][] {
  const blocks = [...markdown.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);
  return blocks.flatMap((text) =>
    [...text.matchAll(/(?:sdk\/agent\.tgz"?|\bwhence) ([^|>#\n]+)/g)].map(([, args = ""]) => args.trim().split(/\s+/)),
  );
}

describe.each(documents)("the commands in %s", (document) => {
  it("are accepted by the command", async () => {
    const lines = commandLinesIn(await read(document));
    for (const [name = "", ...args] of lines) {
      const command = commands.find((one) => one.name === name);
      expect(command, name).toBeDefined();
      if (command) expect(() => parseLine(command, args)).not.toThrow();
    }
    expect(lines.length).toBeGreaterThan(0);
  });
});

describe("the skill", () => {
  it("is named after its folder and says when to use it, as frameworks load it", async () => {
    const [, head = ""] =
      /^---\n([\s\S]*?)\n---\n/.exec(await read("examples/agents/whence/skills/whence-rca/SKILL.md")) ?? [];
    const fields = new Map(head.split("\n").map((line) => [line.split(":", 1)[0], line.slice(line.indexOf(":") + 2)]));
    expect([...fields.keys()]).toEqual(["name", "description"]);
    expect(fields.get("name")).toBe("whence-rca");
    // The format's limit (agentskills.io, specification).
    expect(fields.get("description")?.length).toBeLessThanOrEqual(1_024);
    expect(fields.get("description")).toContain("Use it when");
  });
});
