import { describe, expect, it } from "vitest";
import { repositoryFiles } from "./repository-files.ts";
import { type Import, parseSyntax, readSyntax } from "./syntax.ts";

/** Whether an import is allowed. */
type Allowed = (imported: Import) => boolean;

/** Files matching `files` may import only what one of `may` allows. */
interface Boundary {
  readonly files: string;
  /** The message for a violation. */
  readonly rule: string;
  readonly may: readonly Allowed[];
}

const storageLibraries = ["chdb", "@clickhouse/client", "kysely", "node:sqlite"];
const analyzer = "services/analyzer/src/";
const engine = "services/engine/src/";
const vendors = "services/vendors/src/";
const client = "sdks/node/src/";
/** The folders of the Node client, lowest first. */
const clientFolders = [
  ...["runtime", "core", "source", "process", "delivery"],
  ...["instrumentations", "loggers", "frameworks", "databases", "doctor"],
];
const steps = ["parse", "gather", "trace", "match", "observe", "rank", "report"];
/** The folders of a trace, lowest first. */
const traceFolders = ["dialects", "code", "frames", "follow", "faults"];
/** The folders of the engine that several steps use, lowest first. */
const sharedBySteps = ["source", "words", "signals", "findings", "outside", "changes", "process-exit"];

const below =
  (...folders: readonly string[]): Allowed =>
  ({ target }) =>
    folders.some((folder) => target.startsWith(folder));
const values =
  (...packages: readonly string[]): Allowed =>
  ({ target }) =>
    packages.includes(target);
const types =
  (...packages: readonly string[]): Allowed =>
  (imported) =>
    packages.includes(imported.target) && imported.values.length === 0;
const builtIn: Allowed = ({ target }) => target.startsWith("node:") && !storageLibraries.includes(target);
const installed: Allowed = ({ specifier }) =>
  !/^(\.|node:|@whence\/)/.test(specifier) && !storageLibraries.some((name) => isPartOf(specifier, name));
/** Ports are types; topics and scopes are the only values that belong to them. */
const ports: Allowed = ({ target, values: names }) =>
  target === "@whence/storage" && names.every((name) => name.endsWith("Topic") || name === "isAgentScope");

const web = "services/web/src/";
/** No built-in of Node, and of our own packages only protocol. */
const browserPackage: Allowed = ({ specifier }) => !/^(\.|node:|@whence\/)/.test(specifier);
const featureOf = (file: string): string => /^services\/web\/src\/features\/[^/]+\//.exec(file)?.[0] ?? "";

const boundaries: readonly Boundary[] = [
  {
    files: "sdks/protocol/src/",
    rule: "protocol imports zod, what reads a diff, and itself: it runs anywhere",
    may: [below("sdks/protocol/src/"), values("zod", "diff")],
  },
  {
    files: client,
    rule: "the client imports node: built-ins, protocol's types and its zod-free entries: it has no dependency",
    may: [
      below(client, "sdks/node/package.json"),
      ({ target }) => target.startsWith("node:"),
      types("@whence/protocol"),
      values(
        ...["@whence/protocol/limits", "@whence/protocol/redaction", "@whence/protocol/level"],
        "@whence/protocol/credentials",
      ),
    ],
  },
  ...clientFolders.map((folder, place) => ({
    files: `${client}${folder}/`,
    rule: "the client's folders import downward: types at most of what is above; the parts don't know client.ts, which composes them",
    may: [
      ({ target, values: names }: Import) =>
        target !== `${client}client.ts` &&
        (names.length === 0 ||
          !clientFolders.slice(place + 1).some((above) => target.startsWith(`${client}${above}/`))),
    ],
  })),
  {
    files: `${client}client.ts`,
    rule: "client.ts composes the parts that every program has: no database, logger, framework or command",
    may: [({ target }) => !/\/src\/(databases|loggers|frameworks|doctor)\//.test(target)],
  },
  {
    files: "sdks/agent/src/",
    rule: "the agent imports protocol and node: built-ins: it has no other dependency",
    may: [
      below("sdks/agent/src/", "sdks/agent/package.json"),
      ({ target }) => target.startsWith("node:"),
      values("@whence/protocol"),
    ],
  },
  {
    files: "sdks/mcp/src/",
    rule: "the MCP server imports the agent, protocol, the MCP SDK and zod: no service",
    may: [
      below("sdks/mcp/src/", "sdks/mcp/package.json"),
      values("@whence/agent", "@whence/protocol"),
      builtIn,
      ({ specifier }) => /^(zod|@modelcontextprotocol\/server(\/stdio)?)$/.test(specifier),
    ],
  },
  {
    files: "services/storage/src/",
    rule: "storage imports protocol, no other package of ours",
    may: [
      below("services/storage/src/"),
      values("@whence/protocol"),
      ({ specifier }) => !/^(\.|@whence\/)/.test(specifier),
    ],
  },
  {
    files: "services/gateway/src/",
    rule: "the gateway imports protocol and storage's port types: no adapter, no analyzer",
    may: [below("services/gateway/src/"), values("@whence/protocol"), ports, builtIn, installed],
  },
  {
    files: analyzer,
    rule: "the analyzer imports the engine, the vendors, protocol, storage's port types and its packing of texts and threads: no adapter, no gateway",
    may: [
      below(analyzer),
      values("@whence/vendors"),
      values("@whence/engine", "@whence/engine/investigate", "@whence/engine/preview"),
      values("@whence/protocol", "@whence/storage/packed-text", "@whence/storage/threads"),
      ports,
      builtIn,
      installed,
    ],
  },
  {
    files: vendors,
    rule: "the vendors import protocol and what is installed: they store nothing, and know nothing of incidents",
    may: [below(vendors), values("@whence/protocol"), builtIn, installed],
  },
  {
    files: engine,
    rule: "the engine imports itself, protocol and its parsers, and reads no files but its signatures: everything else is an argument",
    may: [
      below(engine),
      values("@whence/protocol", "zod", "node:crypto", "node:module", "node:path", "node:util"),
      ({ file, specifier }) =>
        file.startsWith(`${engine}trace/`) &&
        ["typescript", "@vscode/tree-sitter-wasm"].some((name) => isPartOf(specifier, name)),
      ({ file, target }) => file === `${engine}match/load-signatures.ts` && ["node:fs", "js-yaml"].includes(target),
      ({ file, target }) => file === `${engine}trace/faults/backtracking.ts` && target === "scslre",
      ({ file, target }) => file === `${engine}source/languages/javascript-manifests.ts` && target === "jsonc-parser",
      ({ file, target }) => file === `${engine}report/patch.ts` && target === "diff",
    ],
  },
  ...steps.map((step) => ({
    files: `${engine}${step}/`,
    rule: `${step} is given what other steps found: it imports their types at most`,
    may: [
      below(`${engine}${step}/`),
      ({ target, values: names }: Import) =>
        names.length === 0 || !steps.some((other) => target.startsWith(`${engine}${other}/`)),
    ],
  })),
  ...traceFolders.map((folder, place) => ({
    files: `${engine}trace/${folder}/`,
    rule: "the folders of a trace import downward: types at most of what is above",
    may: [
      ({ target, values: names }: Import) =>
        names.length === 0 ||
        !traceFolders.slice(place + 1).some((above) => target.startsWith(`${engine}trace/${above}/`)),
    ],
  })),
  ...["code", "facts", "inputs", "outside", "changes", "gaps"].map((family) => ({
    files: `${engine}signals/${family}/`,
    rule: "a kind knows words, texts, and protocol: what is done with it asks the kind",
    may: [below(`${engine}signals/`, `${engine}words/`, `${engine}source/`), values("@whence/protocol", "zod")],
  })),
  {
    files: `${engine}words/`,
    rule: "the building blocks of sentences know no kind",
    may: [below(`${engine}words/`), types("@whence/protocol")],
  },
  ...sharedBySteps.map((folder, place) => ({
    files: `${engine}${folder}/`,
    rule: `${folder} is shared by the steps: of these, and of what is above it, it imports types at most`,
    may: [
      ({ target, values: names }: Import) =>
        names.length === 0 ||
        ![...steps, ...sharedBySteps.slice(place + 1)].some((above) => target.startsWith(`${engine}${above}/`)),
    ],
  })),
  {
    files: `${engine}watched/`,
    rule: "what watched runs showed is known to the report, not the other way around",
    may: [({ target }) => !target.startsWith(`${engine}report/`)],
  },
  {
    files: `${analyzer}collectors/`,
    rule: "a collector imports the known releases, the engine, protocol, zod and storage's port types",
    may: [
      ...[below(`${analyzer}collectors/`), below(`${analyzer}releases/`)],
      ...[values("@whence/engine", "@whence/protocol", "zod"), ports, builtIn],
    ],
  },
  {
    files: `${analyzer}incidents/decide/`,
    rule: "deciding is pure: it imports its own folder, the shape of what it decides about, protocol and storage's port types",
    may: [below(`${analyzer}incidents/decide/`), values("@whence/engine", "@whence/protocol"), ports, builtIn],
  },
  {
    files: `${analyzer}http/`,
    rule: "the HTTP interface does not call the investigation: the queue is between them; of the engine it uses only new counts",
    may: [
      ({ target, values: names }) => target === "@whence/engine" && names.every((name) => name === "withCounts"),
      ({ target }) =>
        !isPartOf(target, "@whence/engine") && !/\/(collectors|consumers|investigations|process-exits)\//.test(target),
    ],
  },
  {
    files: web,
    rule: "the application imports protocol and what is installed: it runs in a browser",
    may: [below(web), values("@whence/protocol"), browserPackage],
  },
  ...["components", "lib", "config"].map((shared) => ({
    files: `${web}${shared}/`,
    rule: "what features share knows no feature",
    may: [({ target }: Import) => !target.startsWith(`${web}features/`) && !target.startsWith(`${web}app/`)],
  })),
  {
    files: `${web}features/`,
    rule: "a feature imports its own folder and what features share, no other feature and no page",
    may: [
      ({ target, file }) =>
        !target.startsWith(`${web}app/`) &&
        (!target.startsWith(`${web}features/`) || target.startsWith(featureOf(file))),
    ],
  },
  {
    files: "examples/",
    rule: "an example imports what a user can install, and no service",
    may: [below("examples/"), ({ target }) => /^@whence\/(node(\/[a-z]+)?|protocol)$/.test(target), builtIn, installed],
  },
];

/** The file of each program that reads its configuration from the environment. */
const environmentReaders = [
  "services/server/src/main.ts",
  "services/server/src/config.ts",
  "sdks/node/src/environment.ts",
  "sdks/agent/src/main.ts",
  "sdks/agent/src/watch/node/preload.ts",
  "sdks/mcp/src/main.ts",
];

const sources = repositoryFiles("{sdks,services}/*/src/**/*.{ts,tsx}", "examples/**/*.ts");
const files = repositoryFiles("**/*.{ts,tsx}");
const imports = files.flatMap((file) => readSyntax(file).imports);
const packages = repositoryFiles("{sdks,services,examples}/*/package.json").map((file) => file.replace(/[^/]+$/, ""));

function isPartOf(specifier: string, name: string): boolean {
  return specifier === name || specifier.startsWith(`${name}/`);
}

/** Returns the folder of the package that a file belongs to; an empty string for the repository's own files. */
function packageOf(path: string): string {
  return packages.find((folder) => path.startsWith(folder)) ?? "";
}

/** The servers for tests belong to the repository, and every package's tests may start them. */
function isServerForTests(file: string, target: string): boolean {
  return /^(services|sdks)\/[^/]+\/test\//.test(file) && target.startsWith("test/servers/");
}

function crossings(imported: readonly Import[]): string[] {
  return imported.flatMap((one) =>
    boundaries
      .filter(({ files: folder, may }) => one.file.startsWith(folder) && !may.some((allows) => allows(one)))
      .map(({ rule }) => describeImport(one, rule)),
  );
}

/** Returns the pairs of folders in `root` that import each other, types included. */
function mutualFolders(all: readonly Import[], root: string): string[] {
  const folderOf = (path: string): string | null =>
    (path.startsWith(root) && /^([^/]+)\//.exec(path.slice(root.length))?.[1]) || null;
  const pairs = new Set(all.map(({ file, target }) => JSON.stringify([folderOf(file), folderOf(target)])));
  return all.flatMap(({ file, target }) => {
    const [from, to] = [folderOf(file), folderOf(target)];
    const isMutual = from !== null && to !== null && from < to && pairs.has(JSON.stringify([to, from]));
    return isMutual && pairs.delete(JSON.stringify([from, to])) ? [`${from} and ${to}`] : [];
  });
}

function describeImport({ file, line, specifier, values: names }: Import, rule: string): string {
  return `${file}:${line} imports ${names.length > 0 ? "" : "types of "}"${specifier}": ${rule}`;
}

describe("the boundaries", () => {
  it("hold between packages, and inside the analyzer between its folders", () => {
    expect(crossings(imports.filter(({ file }) => sources.includes(file)))).toEqual([]);
  });

  it.each([analyzer, vendors])("let no two folders of %s import each other", (root) => {
    expect(mutualFolders(imports, root)).toEqual([]);
  });

  it("aren't bypassed by a path into another package", () => {
    const around = imports.filter(
      ({ specifier, file, target }) =>
        specifier.startsWith(".") && !target.startsWith(packageOf(file)) && !isServerForTests(file, target),
    );
    expect(around.map((one) => describeImport(one, "a package is imported by its name"))).toEqual([]);
  });

  it("leave the server to be started, never imported", () => {
    const importers = imports.filter(
      ({ target, file }) => isPartOf(target, "@whence/server") && packageOf(file) !== "services/server/",
    );
    expect(importers.map((one) => describeImport(one, "the server is the composition root"))).toEqual([]);
  });

  it("allow only the programs' configuration to read the environment", () => {
    const readers = sources.filter((file) => !environmentReaders.includes(file) && !file.startsWith("examples/"));
    const reads = readers.flatMap((file) => readSyntax(file).environmentReads);
    expect(reads.map(({ file, line }) => `${file}:${line} reads process.env: take it as an argument`)).toEqual([]);
  });
});

describe("two folders that import each other", () => {
  const importing = (from: string, to: string): readonly Import[] =>
    parseSyntax(`${analyzer}${from}/a.ts`, `import type { X } from "../${to}/b.ts";`).imports;

  it("are found, even if they share only types", () => {
    const both = [...importing("incidents", "triggers"), ...importing("triggers", "incidents")];
    expect(mutualFolders(both, analyzer)).toEqual(["incidents and triggers"]);
  });

  it("aren't seen where only one imports the other", () => {
    expect(mutualFolders(importing("incidents", "triggers"), analyzer)).toEqual([]);
  });
});

describe("a crossing", () => {
  const crossed = (file: string, text: string): boolean => crossings(parseSyntax(file, text).imports).length > 0;

  it.each([
    ["sdks/protocol/src/a.ts", 'import { x } from "node:fs";'],
    ["sdks/node/src/a.ts", 'import { batchSchema } from "@whence/protocol";'],
    ["sdks/node/src/a.ts", 'export * from "@whence/protocol";'],
    ["sdks/node/src/a.ts", 'const x = await import("zod");'],
    ["sdks/node/src/core/a.ts", 'import { x } from "../delivery/a.ts";'],
    ["sdks/node/src/client.ts", 'import { x } from "./frameworks/a.ts";'],
    ["sdks/node/src/instrumentations/a.ts", 'import type { Client } from "../client.ts";'],
    ["sdks/node/src/frameworks/a.ts", 'import type { Client } from "../client.ts";'],
    ["sdks/node/src/delivery/spool/a.ts", 'import { x } from "../../doctor/a.ts";'],
    ["sdks/agent/src/a.ts", 'import { z } from "zod";'],
    ["sdks/agent/src/a.ts", 'import { createServer } from "@whence/mcp";'],
    ["sdks/mcp/src/a.ts", 'import { app } from "@whence/analyzer";'],
    ["services/gateway/src/a.ts", 'import { app } from "@whence/analyzer";'],
    ["services/gateway/src/a.ts", 'import { openStorage } from "@whence/storage";'],
    ["services/analyzer/src/a.ts", 'import { DatabaseSync } from "node:sqlite";'],
    ["services/analyzer/src/a.ts", 'import { createClient } from "@clickhouse/client/node";'],
    ["services/vendors/src/a.ts", 'import type { Queue } from "@whence/storage";'],
    ["services/vendors/src/a.ts", 'import type { Evidence } from "@whence/engine";'],
    ["services/engine/src/a.ts", 'import type { Queue } from "@whence/storage";'],
    ["services/engine/src/a.ts", 'import { readFile } from "node:fs/promises";'],
    ["services/engine/src/rank/a.ts", 'import { x } from "../parse/parse.ts";'],
    ["services/engine/src/trace/code/a.ts", 'import { x } from "../follow/tracer.ts";'],
    ["services/engine/src/changes/a.ts", 'import { x } from "../rank/file-view.ts";'],
    ["services/engine/src/outside/a.ts", 'import { x } from "../process-exit/assess.ts";'],
    ["services/analyzer/src/collectors/a.ts", 'import { x } from "../investigations/investigations.ts";'],
    ["services/analyzer/src/http/a.ts", 'import { investigate } from "@whence/engine/investigate";'],
    ["examples/shop/a.ts", 'import { x } from "@whence/storage";'],
    ["services/web/src/a.ts", 'import { x } from "node:fs";'],
    ["services/web/src/a.ts", 'import { x } from "@whence/analyzer";'],
    ["services/web/src/lib/a.ts", 'import { x } from "../features/incidents/a.ts";'],
    ["services/web/src/features/session/a.ts", 'import { x } from "../incidents/a.ts";'],
    ["services/web/src/features/session/a.ts", 'import { x } from "../../app/shell.tsx";'],
  ])("is found in %s: %s", (file, text) => {
    expect(crossed(file, text)).toBe(true);
  });

  it.each([
    ["sdks/node/src/a.ts", 'import type { Batch } from "@whence/protocol";'],
    ["sdks/node/src/a.ts", 'import { type Batch } from "@whence/protocol";'],
    ["sdks/node/src/a.ts", 'import { limits } from "@whence/protocol/limits";'],
    ["sdks/node/src/core/a.ts", 'import type { X } from "../source/a.ts";'],
    ["sdks/node/src/client.ts", 'import { x } from "./delivery/a.ts";'],
    ["sdks/node/src/delivery/a.ts", 'import { x } from "../core/a.ts";'],
    ["sdks/mcp/src/a.ts", 'import { Agent } from "@whence/agent";'],
    ["services/web/src/features/session/a.ts", 'import { x } from "../../lib/api-client.ts";'],
    ["services/web/src/app/a.ts", 'import { x } from "../features/incidents/a.ts";'],
    ["services/gateway/src/a.ts", 'import { type Queue, telemetryTopic } from "@whence/storage";'],
    ["services/engine/src/rank/a.ts", 'import type { Findings } from "../findings/findings.ts";'],
    ["services/engine/src/trace/faults/a.ts", 'import type { CodeNode } from "../code/ir.ts";'],
    ["services/engine/src/process-exit/a.ts", 'import { relate } from "../outside/relate.ts";'],
    ["services/analyzer/src/collectors/a.ts", 'import type { Collector } from "@whence/engine";'],
  ])("isn't found in %s: %s", (file, text) => {
    expect(crossed(file, text)).toBe(false);
  });
});
