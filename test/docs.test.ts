import { existsSync } from "node:fs";
import { basename, join, posix } from "node:path";
import {
  batchSchema,
  bulkChangeLimits,
  type ErrorDefinition,
  eventSchema,
  integrationKindNames,
  limits,
  monitorLimits,
  ownershipLimits,
  reportSchema,
  sentryProjectLimits,
  shareLimits,
  validationErrors,
  viewLimits,
  watchedRunLimits,
  watchLimits,
} from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { apiReference, sidebar } from "../docs/.vitepress/sidebar.ts";
import { siteAddress } from "../docs/.vitepress/site-address.ts";
import { programs } from "../services/web/src/features/services/programs.ts";
import { anchorsIn, codeRowsIn, fencesIn, localLinksIn, tablesIn } from "./markdown.ts";
import { readRepositoryFile, repositoryFiles, root } from "./repository-files.ts";
import { compileSnippets } from "./snippets.ts";

const documents = repositoryFiles("**/*.md", ".changeset/*.md", ".github/*.md").filter(
  (file) => !file.endsWith("CHANGELOG.md"),
);

/** Whether a table cell is part of the line below the head. */
const isLine = (cell: string): boolean => /^:?-+:?$/.test(cell);

/** Returns a module's exports. The path is computed, so that it isn't an import across packages. */
async function load(file: string): Promise<Record<string, unknown>> {
  return await import(join(root, file));
}

function isErrorTable(value: unknown): value is Record<string, ErrorDefinition> {
  return typeof value === "object" && value !== null && Object.keys(value).every((code) => /^WHENCE_ERR_/.test(code));
}

/** Returns the status of each error that the shipped proxy answers on its own. */
function errorsOfProxy(): Map<string, number> {
  const answers = readRepositoryFile("deploy/nginx.conf").matchAll(/return (\d+) '([^']*)';/g);
  const coded = z.object({ detail: z.string(), code: z.string() });
  return new Map([...answers].map(([, status, body = ""]) => [coded.parse(JSON.parse(body)).code, Number(status)]));
}

/** Returns the variables of the server's configuration. */
async function serverVariables(): Promise<{ name: string; takes: string; fallback?: string | undefined }[]> {
  const { configVariables } = await load("services/server/src/config.ts");
  return z
    .array(z.object({ name: z.string(), takes: z.string(), fallback: z.string().optional() }))
    .parse(configVariables);
}

/** Returns the clients that the service serves. */
async function servedClients(): Promise<{ name: string; package: string; address: string; documentation: string }[]> {
  const { servedClients: clients } = await load("sdks/tarballs/clients.ts");
  const client = z.object({ name: z.string(), package: z.string(), address: z.string(), documentation: z.string() });
  return z.array(client).parse(clients);
}

/** Returns every error of every package, by code. */
async function definedErrors(): Promise<Map<string, number>> {
  const modules = await Promise.all(repositoryFiles("{sdks,services}/*/src/errors.ts").map(load));
  const tables = modules
    .flatMap((module) => Object.values(module))
    .map((value) => (typeof value === "object" && value !== null && "table" in value ? value.table : undefined))
    .filter(isErrorTable);
  return new Map(tables.flatMap((table) => Object.entries(table).map(([code, { status }]) => [code, status])));
}

describe("the links of the documents", () => {
  it.each(documents)("resolve in %s", (document) => {
    const broken = localLinksIn(readRepositoryFile(document)).filter(({ path, anchor }) => {
      const target = path === "" ? document : posix.join(posix.dirname(document), path);
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !anchorsIn(readRepositoryFile(target)).has(anchor);
    });
    expect(broken).toEqual([]);
  });
});

describe("the tables of the documents", () => {
  it.each(documents)("have a line below the head, and as many cells in each row as in the head, in %s", (document) => {
    const broken = tablesIn(readRepositoryFile(document)).flatMap(([head = [], line = [], ...rows]) => [
      ...[line].filter((cells) => cells.length !== head.length || !cells.every(isLine)),
      ...rows.filter((cells) => cells.length !== head.length || cells.every(isLine)),
    ]);
    expect(broken).toEqual([]);
  });
});

describe("the documentation site", () => {
  it("has each page in the sidebar, once", () => {
    const pages = documents.map(siteAddress).filter((address) => address !== null);
    const addresses = pages.map((page) => `/${page.replace(/\.md$/, "").replace(/^index$/, "")}`);
    const linked = sidebar.flatMap(({ items = [] }) => items).map(({ link = "" }) => link);
    expect(linked.filter((link) => link !== apiReference.link).sort()).toEqual(addresses.sort());
  });
});

describe("the pages of vendors", () => {
  const isFunction = z.custom<(kind: string) => unknown>((value) => typeof value === "function");

  it("are one for each integration, with its vendor's name as the title", async () => {
    const { integrationRegistry } = await load("services/vendors/src/integration-registry.ts");
    const registry = z.object({ vendorsOf: isFunction }).parse(integrationRegistry);
    const ofKind = z.array(z.object({ vendor: z.string() }));
    const vendors = integrationKindNames.flatMap((kind) => ofKind.parse(registry.vendorsOf(kind)));
    const titles = repositoryFiles("docs/integrations/*.md").map(
      (file) => /^# (.*)$/m.exec(readRepositoryFile(file))?.[1],
    );
    expect(titles.toSorted()).toEqual([...new Set(vendors.map(({ vendor }) => vendor))].toSorted());
  });

  it("are one for each trigger, under its name", async () => {
    const { alertSenders } = await load("services/vendors/src/alert-senders.ts");
    const { all } = z.object({ all: z.array(z.object({ kind: z.string() })) }).parse(alertSenders);
    const pages = repositoryFiles("docs/triggers/*.md").map((file) => basename(file, ".md"));
    expect(pages.toSorted()).toEqual(all.map(({ kind }) => kind).toSorted());
  });
});

describe("docs/architecture.md", () => {
  it("names existing files", () => {
    const named = readRepositoryFile("docs/architecture.md").match(/(?<=`)[\w/.-]+\.ts(?=`)/g) ?? [];
    expect(named.length).toBeGreaterThan(20);
    const sources = repositoryFiles("{sdks,services,test}/**/*.ts");
    expect(named.filter((name) => !sources.some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual([]);
  });
});

describe("the served clients", () => {
  it("are those of the table in docs/self-hosting.md, with their package", async () => {
    const rows = codeRowsIn(readRepositoryFile("docs/self-hosting.md"));
    const documented = rows.flatMap(([address = "", what = ""]) =>
      /^\/sdk\/(?!checksums)/.test(address) ? [`${address} ${/`([^`]+)`/.exec(what)?.[1]}`] : [],
    );
    expect(documented).toEqual((await servedClients()).map((client) => `${client.address} ${client.package}`));
  });

  it("are those of the table in docs/sdk/another-language.md, with their page", async () => {
    const documented = codeRowsIn(readRepositoryFile("docs/sdk/another-language.md")).map(([name]) => name);
    const clients = await servedClients();
    expect(documented.slice(0, clients.length)).toEqual(clients.map((client) => client.package));
    for (const { documentation } of clients) expect(readRepositoryFile(documentation)).not.toBe("");
  });

  it("are the only tarballs that a page or a program names", async () => {
    const addresses = ["/sdk/NAME.tgz", ...(await servedClients()).map(({ address }) => address)];
    const named = repositoryFiles("**/*.md", "{sdks,services}/*/src/**/*.{ts,tsx}").flatMap((file) =>
      (readRepositoryFile(file).match(/\/sdk\/\w+\.tgz/g) ?? []).map((address) => ({ file, address })),
    );
    expect(named.filter(({ address }) => !addresses.includes(address))).toEqual([]);
  });

  it("are checked and tested, and alone installed by the first-run page", async () => {
    const checked = readRepositoryFile("tsconfig.json");
    const tested = readRepositoryFile("vitest.config.ts");
    const addresses = (await servedClients()).map(({ name, address }) => {
      expect(checked).toContain(`"sdks/${name}"`);
      expect(tested).toContain(`"sdks/${name}"`);
      return address.replace(/\/$/, "");
    });
    const values = { key: "whk_1", service: "shop", endpoint: "https://whence.example.com" };
    for (const { install } of programs.values())
      expect(addresses.filter((address) => install(values).includes(values.endpoint + address))).toHaveLength(1);
  });
});

describe("docs/errors.md", () => {
  it("lists each error of each package and of the proxy with its status, and nothing else", async () => {
    const documented = codeRowsIn(readRepositoryFile("docs/errors.md")).map(([code, status]) => `${code} ${status}`);
    const defined = [...errorsOfProxy(), ...(await definedErrors())].map(([code, status]) => `${code} ${status}`);
    expect(documented.sort()).toEqual([...new Set(defined)].sort());
  });

  it("includes every code that a package writes outside of its table, and only codes that a package raises", async () => {
    const written = repositoryFiles("{sdks,services}/*/src/**/*.ts")
      .filter((file) => !file.endsWith("/src/errors.ts"))
      .flatMap((file) => readRepositoryFile(file).match(/WHENCE_ERR_[A-Z0-9_]+/g) ?? []);
    expect([...new Set(written)].sort()).toEqual([...(await definedErrors()).keys()].sort());
  });
});

describe("docs/limits.md", () => {
  it("lists each limit of the wire format and of the client with its value, and nothing else", async () => {
    const sdkLimits = await load("sdks/node/src/sdk-limits.ts");
    const documented = codeRowsIn(readRepositoryFile("docs/limits.md")).map(([name, value = ""]) => [
      name,
      Number(value.replaceAll(",", "")),
    ]);
    const { sentryLimits } = await load("services/gateway/src/sentry/sentry-limits.ts");
    const { dataLimits } = await load("services/gateway/src/mapping/bounded-data.ts");
    const { otlpLimits } = await load("services/gateway/src/otlp/otlp-limits.ts");
    const { artifactLimits } = await load("services/analyzer/src/sources/artifacts/artifact-limits.ts");
    expect(Object.fromEntries(documented)).toEqual(
      Object.assign(
        {},
        limits,
        ownershipLimits,
        monitorLimits,
        sentryProjectLimits,
        shareLimits,
        viewLimits,
        bulkChangeLimits,
        watchedRunLimits,
        watchLimits,
        sentryLimits,
        dataLimits,
        otlpLimits,
        artifactLimits,
        sdkLimits,
      ),
    );
  });
});

describe("docs/self-hosting.md", () => {
  const rows = codeRowsIn(readRepositoryFile("docs/self-hosting.md")).filter(([name = ""]) => /^[A-Z_]+$/.test(name));

  it("lists each variable of the server and its accepted values, and nothing else", async () => {
    const variables = await serverVariables();
    expect(rows.map(([name, , takes]) => ({ name, takes }))).toEqual(
      variables.map(({ name, takes }) => ({ name, takes })),
    );
  });

  it("gives each variable's default, or what happens without one", async () => {
    const defaults = new Map((await serverVariables()).map(({ name, fallback }) => [name, fallback]));
    const wrong = rows.filter(([name = "", written = ""]) => {
      const fallback = defaults.get(name);
      return fallback === undefined ? !/^none(: \S.*)?$/.test(written) : written !== fallback;
    });
    expect(wrong).toEqual([]);
  });

  it("includes every variable that is read outside of the configuration", () => {
    const readers = repositoryFiles("services/*/src/**/*.{ts,tsx}").filter((file) =>
      /\bprocess\.env\b|\benv\b.* from "node:process"/.test(readRepositoryFile(file)),
    );
    // The second passes it to `readConfig`; the others name it in a table and in a line of code that is shown.
    expect(readers).toEqual([
      "services/engine/src/trace/dialects/javascript.ts",
      "services/server/src/main.ts",
      "services/web/src/features/services/node-programs.ts",
    ]);
  });
});

describe("docs/formats.md", () => {
  const rows = codeRowsIn(readRepositoryFile("docs/formats.md")).map(([name = ""]) => name);

  it("lists each format that is read, and nothing else", async () => {
    const parse = "services/engine/src/parse";
    const lists = await Promise.all(
      ["formats", "carriers", "records/records", "alerts/json-alerts", "alerts/text-alerts"].map((file) =>
        load(`${parse}/${file}.ts`),
      ),
    );
    const named = lists
      .flatMap((module) => Object.values(module))
      .filter((value): value is readonly { readonly name: string }[] => Array.isArray(value))
      .flatMap((list) => list.map(({ name }) => name));
    expect(rows.sort()).toEqual([...new Set(named)].sort());
  });
});

describe("docs/wire-format.md", () => {
  const blocks = fencesIn(readRepositoryFile("docs/wire-format.md"))
    .filter(({ language }) => language === "json")
    .map(({ text }): unknown => JSON.parse(text));

  it("shows a batch that the gateway accepts completely", () => {
    expect(batchSchema.safeParse(blocks[0]).error?.issues).toBeUndefined();
  });

  it("shows the answer to an event with an unknown level", () => {
    const { events } = batchSchema.parse(blocks[0]);
    const event = { ...events[0], level: "fatal" };
    const detail = validationErrors(eventSchema.safeParse(event).error?.issues ?? [], event, "body");
    expect(blocks[1]).toMatchObject({ rejected: [{ index: 3, detail }] });
  });
});

describe("docs/how-it-reasons.md", () => {
  const fences = fencesIn(readRepositoryFile("docs/how-it-reasons.md"));
  const textOf = (wanted: string): string => fences.find(({ language }) => language === wanted)?.text ?? "";

  it("shows the engine's result for its example", async () => {
    const { investigate } = await load("services/engine/src/investigate.ts");
    if (typeof investigate !== "function") throw new TypeError("investigate is no function");
    const files = fences
      .filter(({ language }) => language === "js")
      .map(({ title, text }) => ({ name: title, content: text }));
    const report: unknown = await investigate(
      {
        incident: { id: "inc_1", service: null, env: null, fingerprint: null },
        input: { kind: "text", errorLog: textOf("text"), files },
      },
      { clock: Date.now, onStep: async () => undefined },
      new AbortController().signal,
    );
    const { root_cause, candidates } = reportSchema.parse(report);
    expect({ root_cause, candidates: candidates.slice(0, 2) }).toMatchObject(JSON.parse(textOf("json")));
  });
});

describe("the snippets", () => {
  it("compile", { timeout: 300_000 }, () => {
    const snippets = documents.flatMap((document) =>
      fencesIn(readRepositoryFile(document))
        .filter(({ language }) => language === "ts")
        .map(({ text }, index): [string, string] => [`${document}-${index + 1}`, text]),
    );
    expect(compileSnippets(new Map(snippets))).toEqual([]);
  });

  it("fail the test when they contain a type error", { timeout: 300_000 }, () => {
    expect(compileSnippets(new Map([["wrong", "const text: string = 1;"]]))).toHaveLength(1);
  });
});

describe("the commands in the documents", () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(readRepositoryFile("package.json"));
  const known = new Set([...Object.keys(scripts), "install", "exec"]);

  it.each(documents)("are scripts of the workspace in %s", (document) => {
    const commands = fencesIn(readRepositoryFile(document))
      .filter(({ language }) => language === "sh")
      .flatMap(({ text }) => [...text.matchAll(/^(?:npx -y pnpm@12|pnpm) (\S+)/gm)].map(([, name = ""]) => name));
    expect(commands.filter((name) => !known.has(name))).toEqual([]);
  });
});
