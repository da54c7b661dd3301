import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { incidentSchema } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../test/servers/free-port.ts";
import { bootstrapKey, type ServerProcess, startServerProcess } from "../../../test/servers/server-process.ts";
import { useGitTree } from "./git-tree.ts";
import { startWhence, temporaryFolder, whence } from "./whence-command.ts";

let data: Awaited<ReturnType<typeof temporaryFolder>>;
let server: ServerProcess;

beforeAll(async () => {
  data = await temporaryFolder();
  server = await startServerProcess(data.path, await freePort());
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await data?.remove();
});
const { folder, path: tree, copies, git, commit: commitAs } = useGitTree();
const commit = (subject: string, text: string) => commitAs(subject, { "main.cjs": text });

const program = (name: string, more = ""): string =>
  `${more}const table = { ${name}: [] };\nfunction count() {\n  return table.rows.length;\n}\ncount();\n`;
const run = () => ({
  ...{ home: folder(), cwd: tree() },
  env: { WHENCE_URL: server.url, WHENCE_API_KEY: bootstrapKey, TMPDIR: copies() },
});

describe("whence prove with changes that aren't committed", () => {
  it("names those that make it fail, without watching a run", async () => {
    await commit("Begin", program("rows", "// a note\n"));
    await writeFile(join(tree(), "main.cjs"), program("items", "// another note\n"));
    const ended = await whence(["prove", "--json", "--", process.execPath, "main.cjs"], run());
    expect(ended.stderr).toContain("What was changed in main.cjs makes it fail.");
    expect(ended.stderr).not.toContain("Run 2");
    const { report } = incidentSchema.parse(JSON.parse(ended.stdout));
    expect(report?.root_cause_summary).toContain("The uncommitted change of `main.cjs:2` makes the command fail");
    expect(report?.candidates[0]).toMatchObject({ seen: "confirmed", location: { file: "main.cjs", line: 2 } });
  });

  it("says when they don't make it fail, and looks on", async () => {
    await commit("Begin", program("items", "// a note\n"));
    await writeFile(join(tree(), "main.cjs"), program("items", "// another note\n"));
    const ended = await whence(["prove", "--", process.execPath, "main.cjs"], run());
    expect(ended.stderr).toContain("The code that was changed since the last commit doesn't make it fail.");
    expect(ended.stderr).toContain("Run 2, watched");
  });
});

describe("whence prove --bisect", () => {
  it("names the commit with which the failure began, and the report has its lines as evidence", async () => {
    await commit("Begin", program("rows"));
    git("tag", "good");
    await commit("Note", program("rows", "// a note\n"));
    await commit("Rename rows to items", program("items", "// a note\n"));
    const id = git("rev-parse", "HEAD").slice(0, 7);
    await commit("Note again", program("items", "// another note\n"));
    const ended = await whence(["prove", "--json", "--bisect", "good", "--", process.execPath, "main.cjs"], run());
    expect(ended.stderr).toContain("Rename rows to items");
    const { report } = incidentSchema.parse(JSON.parse(ended.stdout));
    const found = report?.evidence.find(({ summary }) => summary.includes("fails since"));
    expect(found?.summary).toContain(`The command passes at \`good\`, and fails since commit \`${id}\` by \`Ada\``);
    expect(found?.summary).toContain("which changed `main.cjs:2`");
    expect(found?.excerpt).toContain("+const table = { items: [] };");
    expect(report?.detailed_analysis).toContain("fails since");
    expect(report?.root_cause_summary).toContain(
      `The change of \`main.cjs:2\` in commit \`${id}\` makes the command fail`,
    );
    expect(report?.candidates[0]).toMatchObject({ seen: "confirmed", location: { file: "main.cjs", line: 2 } });
  });

  it("says that it found none, and reports as without it", async () => {
    await commit("Begin", program("items"));
    const ended = await whence(["prove", "--bisect", "nowhere", "--", process.execPath, "main.cjs"], run());
    expect(ended.stderr).toContain('No commit was found: "nowhere" is no revision of this repository.');
    expect(ended.code).toBe(0);
  });

  it("leaves nothing behind when it is killed in the middle", async () => {
    const pause = `require("fs").writeFileSync(process.env.HOME + "/began", ""); setInterval(() => require("fs").existsSync(__filename) || process.exit(), 20);\n`;
    await commit("Begin", program("rows"));
    git("tag", "good");
    const inCopy = `if (__dirname.includes("whence-tree-")) { ${pause} } else { ${program("items")} }\n`;
    await commit("Rename", inCopy);
    const before = [git("status", "--porcelain", "--branch"), git("worktree", "list"), git("for-each-ref")];
    const child = startWhence(["prove", "--bisect", "good", "--", process.execPath, "main.cjs"], run());
    await expect.poll(() => readdir(folder())).toContain("began");
    child.kill("SIGKILL");
    await once(child, "close");
    await expect
      .poll(async () => (await readdir(copies())).filter((name) => name.startsWith("whence-tree-")))
      .toEqual([]);
    expect([git("status", "--porcelain", "--branch"), git("worktree", "list"), git("for-each-ref")]).toEqual(before);
  });
});
