import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { z } from "zod";
import { readRepositoryFile, repositoryFiles, root } from "./repository-files.ts";

const run = promisify(execFile);

const stepSchema = z.union([
  z.object({ uses: z.string(), with: z.record(z.string(), z.unknown()).default({}) }),
  z.object({ run: z.string() }),
]);
const jobSchema = z.union([
  z.object({ uses: z.string() }),
  z.object({ "timeout-minutes": z.number().max(75), steps: z.array(stepSchema).min(1) }),
]);
const workflowSchema = z.object({
  on: z.record(z.string(), z.unknown()),
  permissions: z.record(z.string(), z.literal("read")),
  jobs: z.record(z.string(), jobSchema),
});
const issueFormSchema = z.object({
  name: z.string(),
  description: z.string(),
  body: z.array(
    z.discriminatedUnion("type", [
      z.object({ type: z.literal("markdown"), attributes: z.object({ value: z.string() }) }),
      z.object({ type: z.enum(["input", "textarea"]), id: z.string(), attributes: z.object({ label: z.string() }) }),
    ]),
  ),
});
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readRepositoryFile("package.json")));

/** Parses a YAML file; throws its errors and warnings. */
function readYaml(file: string): unknown {
  const document = parseDocument(readRepositoryFile(file), { uniqueKeys: true });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) throw problem;
  return document.toJS();
}

const workflows = repositoryFiles(".github/workflows/*.yml");
const stepsOf = (file: string): z.infer<typeof stepSchema>[] =>
  Object.values(workflowSchema.parse(readYaml(file)).jobs).flatMap((job) => ("steps" in job ? job.steps : []));

/** Returns the commands of a workflow's own steps, and those that it passes to an action. */
function commandsOf(file: string): string[] {
  const texts = stepsOf(file).flatMap((step) =>
    "run" in step
      ? step.run.split("\n")
      : Object.entries(step.with).flatMap(([name, value]) => (name.endsWith("-script") ? [String(value)] : [])),
  );
  return texts.map((text) => text.trim()).filter((text) => text !== "");
}

/** Whether the script or file of the repository that a command names exists. */
function exists(command: string): boolean {
  const script = /^npx -y pnpm@12 (\S+)/.exec(command)?.[1];
  if (script !== undefined) return script === "install" || script in scripts;
  const file = /^(\.\S*\/\S+)/.exec(command)?.[1];
  return file === undefined || existsSync(join(root, file));
}

describe("the workflows", () => {
  it.each(workflows)("have read permission by default, a timeout, and existing commands: %s", (file) => {
    expect(commandsOf(file).length).toBeGreaterThan(0);
    expect(commandsOf(file).filter((command) => !exists(command))).toEqual([]);
  });

  it.each(workflows)("reference each action by a full version, and each workflow by its file: %s", (file) => {
    const jobs = Object.values(workflowSchema.parse(readYaml(file)).jobs);
    const used = [...jobs, ...stepsOf(file)].flatMap((one) => ("uses" in one ? [one.uses] : []));
    const wrong = used.filter((name) =>
      name.startsWith("./") ? !existsSync(join(root, name)) : !/^[\w.-]+\/[\w.-]+@v\d+\.\d+\.\d+$/.test(name),
    );
    expect(used.length).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  });

  it("run every check that a change must pass, and publish only what passes", () => {
    expect(commandsOf(".github/workflows/ci.yml")).toEqual([".ci/run", ".ci/image"]);
    expect(readYaml(".github/workflows/release.yml")).toMatchObject({
      jobs: { ci: { uses: "./.github/workflows/ci.yml" }, release: { needs: "ci" } },
    });
  });

  it("detect a command that doesn't exist", () => {
    expect(exists("npx -y pnpm@12 release:bil")).toBe(false);
    expect(exists(".ci/walk")).toBe(false);
  });
});

describe("the issue forms", () => {
  it.each(repositoryFiles(".github/ISSUE_TEMPLATE/*.yml").filter((file) => !file.endsWith("/config.yml")))(
    "contain questions, each with a unique id: %s",
    (file) => {
      const { body } = issueFormSchema.parse(readYaml(file));
      const ids = body.flatMap((part) => ("id" in part ? [part.id] : []));
      expect(ids.length).toBeGreaterThan(0);
      expect(new Set(ids).size).toBe(ids.length);
    },
  );
});

describe("CODEOWNERS", () => {
  const lines = readRepositoryFile(".github/CODEOWNERS")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split(/\s+/));

  it("names existing paths, each with an owner", () => {
    expect(lines.filter(([path = ""]) => path !== "*" && !existsSync(join(root, path)))).toEqual([]);
    expect(lines.filter(([, ...owners]) => !owners.some((owner) => /^@[\w-]+\/[\w-]+$/.test(owner)))).toEqual([]);
  });
});

describe("a package that a workflow packs", () => {
  it("names the repository of the workflow, as its provenance does", async () => {
    const folder = await mkdtemp(join(tmpdir(), "whence-packed-"));
    const env = { ...process.env, GITHUB_SERVER_URL: "https://github.example", GITHUB_REPOSITORY: "acme/whence" };
    await run("npx", ["-y", "pnpm@12", "pack", "--out", join(folder, "packed.tgz")], {
      cwd: join(root, "sdks/protocol"),
      env,
    });
    const { stdout } = await run("tar", ["-xOf", join(folder, "packed.tgz"), "package/package.json"]);
    await rm(folder, { recursive: true });
    expect(JSON.parse(stdout)).toMatchObject({
      name: "@whence/protocol",
      repository: { type: "git", url: "git+https://github.example/acme/whence.git" },
    });
  });
});
