import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { readRepositoryFile, repositoryFiles, root } from "./repository-files.ts";

const folder = "examples/agents";
const plugin = `${folder}/whence`;
const json = (path: string): unknown => JSON.parse(readRepositoryFile(path));
const isThere = (path: string): boolean => existsSync(join(root, path));

const kebab = z.string().regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/);
const version = z.string().regex(/^\d+\.\d+\.\d+$/);
const person = z.strictObject({ name: z.string().min(1) });
const shared = {
  ...{ name: kebab, version, description: z.string().min(1), author: person, license: z.literal("Apache-2.0") },
  keywords: z.array(z.string()),
};
const below = z.string().regex(/^\.\//);

/** What each vendor documents of its manifests, as far as ours use it: a field that isn't documented fails. */
const manifests = {
  // https://code.claude.com/docs/en/plugins-reference
  [`${plugin}/.claude-plugin/plugin.json`]: z.strictObject({ ...shared, mcpServers: below }),
  // https://cursor.com/schemas/cursor-plugin/plugin.json
  [`${plugin}/.cursor-plugin/plugin.json`]: z.strictObject({
    ...shared,
    ...{ displayName: z.string(), skills: z.string(), commands: z.string(), mcpServers: z.string() },
  }),
  // https://developers.openai.com/codex/plugins/build
  [`${plugin}/.codex-plugin/plugin.json`]: z.strictObject({
    ...shared,
    ...{ skills: below, mcpServers: below },
    interface: z.strictObject({ displayName: z.string(), shortDescription: z.string(), category: z.string() }),
  }),
};

const entry = { name: kebab, description: z.string().min(1) };
const marketplaces = {
  // https://code.claude.com/docs/en/plugin-marketplaces
  [`${folder}/.claude-plugin/marketplace.json`]: z.strictObject({
    ...{ name: kebab, owner: person, description: z.string() },
    plugins: z.array(z.strictObject({ ...entry, source: below })),
  }),
  // https://cursor.com/docs/reference/plugins
  [`${folder}/.cursor-plugin/marketplace.json`]: z.strictObject({
    ...{ name: kebab, owner: person },
    plugins: z.array(z.strictObject({ ...entry, source: z.string() })),
  }),
  // https://developers.openai.com/codex/plugins/build
  [`${folder}/.agents/plugins/marketplace.json`]: z.strictObject({
    ...{ name: kebab, interface: z.strictObject({ displayName: z.string() }) },
    plugins: z.array(
      z.strictObject({
        ...{ name: kebab, category: z.string() },
        source: z.strictObject({ source: z.literal("local"), path: below }),
        policy: z.strictObject({ installation: z.literal("AVAILABLE"), authentication: z.literal("ON_INSTALL") }),
      }),
    ),
  }),
};

const server = z.strictObject({
  ...{ type: z.literal("stdio").optional(), command: z.enum(["npx", "sh"]), args: z.array(z.string()) },
  ...{ env: z.record(z.string(), z.string()), env_vars: z.array(z.string()).optional() },
});
const servers = z.strictObject({ mcpServers: z.strictObject({ whence: server }) });
// https://code.visualstudio.com/docs/agents/reference/mcp-configuration, without `inputs`: the Copilot agent is given no
// server that asks for some.
const vscode = z.strictObject({ servers: z.strictObject({ whence: server }) });

/** What the MCP server offers. */
const tools = new Set([
  ...["run_rca", "list_incidents", "get_incident", "resolve_incident"],
  ...["mute_incident", "reopen_incident", "take_incident"],
]);

/** Reads the fields before a Markdown text, and the text. */
function frontMatter(path: string): { readonly fields: unknown; readonly text: string } {
  const [, head = "", text = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(readRepositoryFile(path)) ?? [];
  return { fields: parse(head), text };
}

describe("the plugin for coding agents", () => {
  it.each(Object.entries(manifests))("has a manifest as its vendor documents it: %s", (path, schema) => {
    const manifest = schema.parse(json(path));
    expect(manifest.name).toBe("whence");
    const { skills = [], commands = [], mcpServers } = { skills: undefined, commands: undefined, ...manifest };
    for (const part of [skills, commands, mcpServers].flat())
      expect([part, isThere(`${plugin}/${part}`)]).toEqual([part, true]);
  });

  it.each(Object.entries(marketplaces))("is listed as its vendor documents it: %s", (path, schema) => {
    const { plugins } = schema.parse(json(path));
    for (const { name, source } of plugins) {
      const place = typeof source === "string" ? source : source.path;
      expect([name, isThere(`${folder}/${place}/skills`)]).toEqual(["whence", true]);
    }
  });

  it("has one version everywhere", () => {
    const versions = Object.entries(manifests).map(([path, schema]) => schema.parse(json(path)).version);
    expect(new Set(versions).size).toBe(1);
  });

  it.each([".mcp.json", "cursor.mcp.json", "codex.mcp.json"])("starts what the service serves: %s", (name) => {
    const { whence } = servers.parse(json(`${plugin}/${name}`)).mcpServers;
    expect(whence.args.at(-1)).toMatch(/\$\{[^}]+\}\/sdk\/mcp\.tgz(?: #|$)/);
    const given = new Set([...Object.keys(whence.env), ...(whence.env_vars ?? [])]);
    expect(given).toEqual(new Set(["WHENCE_URL", "WHENCE_API_KEY", "WHENCE_MCP_INCIDENTS"]));
  });

  it("has skills whose names are their folders'", () => {
    const skills = repositoryFiles(`${plugin}/skills/*/SKILL.md`);
    expect(skills).toHaveLength(2);
    for (const path of skills) {
      // https://agentskills.io/specification
      const schema = z.strictObject({ name: kebab.max(64), description: z.string().min(1).max(1_024) });
      expect(`${plugin}/skills/${schema.parse(frontMatter(path).fields).name}/SKILL.md`).toBe(path);
    }
  });

  it("has commands that take their arguments, and name tools that there are", () => {
    const commands = repositoryFiles(`${plugin}/commands/*.md`);
    expect(commands).toHaveLength(4);
    for (const path of commands) {
      const { fields, text } = frontMatter(path);
      const schema = z.strictObject({
        name: kebab,
        description: z.string().min(1),
        "argument-hint": z.string().min(1),
      });
      expect(`${plugin}/commands/${schema.parse(fields).name}.md`).toBe(path);
      expect(text).toContain("$ARGUMENTS");
      const named = [...text.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, name = ""]) => name);
      expect(named.filter((name) => !tools.has(name) && name !== "next_release")).toEqual([]);
    }
  });
});

describe("the files for VS Code", () => {
  it("start what the service serves, with variables that VS Code fills in", () => {
    const { whence } = vscode.parse(json(`${folder}/vscode/mcp.json`)).servers;
    expect(whence.args).toEqual(["-y", "${env:WHENCE_URL}/sdk/mcp.tgz"]);
    for (const name of ["WHENCE_URL", "WHENCE_API_KEY"]) expect(whence.env[name]).toBe(`\${env:${name}}`);
  });

  it("have a prompt for each command, with the same steps", () => {
    for (const path of repositoryFiles(`${plugin}/commands/*.md`)) {
      const name = path.slice(`${plugin}/commands/`.length, -".md".length);
      const { fields, text } = frontMatter(`${folder}/vscode/prompts/whence-${name}.prompt.md`);
      z.strictObject({
        ...{ name: z.literal(`whence-${name}`), description: z.string().min(1), agent: z.literal("agent") },
      }).parse(fields);
      const toolsIn = (of: string) => [...of.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, tool]) => tool);
      expect(toolsIn(text)).toEqual(toolsIn(frontMatter(path).text));
      expect(text).toMatch(/\$\{input:\w+:/);
    }
  });
});
