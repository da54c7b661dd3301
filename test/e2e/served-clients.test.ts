import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { incidentSchema } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { nodePrograms } from "../../services/web/src/features/services/node-programs.ts";
import { startCommand } from "../../services/web/src/features/services/programs.ts";
import { uploadCommands } from "../../services/web/src/features/settings/sources/upload-commands.ts";
import { type Fence, fencesIn } from "../markdown.ts";
import { readRepositoryFile, repositoryFiles, root } from "../repository-files.ts";
import { linkPackage, type Reader, startReader } from "../servers/reader.ts";
import { bootstrapKey, eventually } from "../servers/server-process.ts";

const clientTest = join(root, "sdks/node/test/published.programs.test.ts");

const shop = {
  "package.json": JSON.stringify({ name: "shop", version: "1.0.0", scripts: { test: "node src/cart.js" } }),
  "src/cart.js": "function totalOf(cart) {\n  return cart.items.length;\n}\ntotalOf({});\n",
  "src/cart.ts": "export const empty = { items: [] };\n",
  "error.log":
    "TypeError: Cannot read properties of undefined (reading 'length')\n    at totalOf (/srv/src/cart.js:2:21)\n",
};

const shopSources = { "src/cart.js": shop["src/cart.js"] };
const withKey = (commands: string) => commands.replace("whk_…", bootstrapKey);

const shownLines = repositoryFiles("**/*.md", ".changeset/*.md")
  .flatMap((document) => fencesIn(readRepositoryFile(document)))
  .flatMap(({ language, text }) => (language === "sh" ? text.split("\n") : []));

let reader: Reader;
beforeAll(async () => {
  reader = await startReader(join(root, "sdks/protocol/src/index.ts"), ["zod"]);
});
afterAll(() => reader?.leave());

/** Returns the code blocks of a document from a heading to the next. */
function blocksUnder(document: string, heading: string): Fence[] {
  const [, section = ""] = readRepositoryFile(document).split(new RegExp(`^#+ ${heading}$`, "m"));
  return fencesIn(section.split(/^#+ /m, 1)[0] ?? "");
}

/** Returns the first block of a language under a heading, verbatim. */
function blockUnder(document: string, heading: string, language: string, index = 0): string {
  const block = blocksUnder(document, heading).filter((fence) => fence.language === language)[index];
  if (block === undefined) throw new Error(`${document} has no block of ${language} under ${heading}`);
  return block.text;
}

const incidentsOf = async (service: string) => {
  const headers = { "x-api-key": bootstrapKey };
  const answer = await fetch(`${reader.server.url}/api/incidents?service=${service}&status=completed`, { headers });
  return z.object({ incidents: z.array(incidentSchema) }).parse(await answer.json()).incidents;
};
const incidentOf = (service: string) =>
  eventually(`the incident of ${service}`, async () => (await incidentsOf(service))[0]);

describe("the telemetry client", () => {
  it("is installed as the README says, and reports what its program throws", async () => {
    const program = reader.atServer(blockUnder("README.md", "Instrument a service", "js"));
    const folder = await reader.folder({ "app.mjs": `${program}\nthrow new RangeError("out of stock");\n` });
    await reader.follow(blockUnder("README.md", "Instrument a service", "sh"), folder);
    await expect(reader.follow(`WHENCE_API_KEY=${bootstrapKey} node app.mjs`, folder)).rejects.toThrow("out of stock");
    expect((await incidentOf("orders")).title).toContain("out of stock");
  });

  const visit = (port: string) => `await fetch("http://localhost:" + ${port}); process.exit();`;
  /** The page's snippets, extended to programs that fail. */
  const failing = {
    node: () => `throw new RangeError("no stock for node");`,
    express: (
      code: string,
    ) => `${code.replace("// …", 'app.get("/", () => { throw new RangeError("no stock for express"); });')}
      const server = app.listen(0, async () => { ${visit("server.address().port")} });`,
    fastify: (code: string) => `${code}
      app.get("/", async () => { throw new RangeError("no stock for fastify"); });
      await app.listen({ port: 0 }); ${visit("app.server.address().port")}`,
  };

  it.each(["node", "express", "fastify"] as const)(
    "is installed as the first-run page says for %s, and reports failures",
    async (kind) => {
      const values = { key: bootstrapKey, service: `shop-${kind}`, endpoint: reader.server.url };
      const program = nodePrograms[kind];
      const app = failing[kind](program.code?.(values) ?? "");
      const folder = await reader.folder({ "package.json": '{ "type": "module" }', "app.js": app });
      await reader.follow(program.install(values), folder);
      if (kind !== "node") await linkPackage(folder, clientTest, kind);
      const running = reader.follow(startCommand(program, values), folder);
      if (kind === "node") await expect(running).rejects.toThrow("no stock for node");
      else await running;
      expect((await incidentOf(values.service)).title).toContain(`no stock for ${kind}`);
    },
  );

  it("has a doctor that runs from its address", async () => {
    const program = reader.atServer(blockUnder("README.md", "Instrument a service", "js"));
    const manifest = '{ "name": "shop", "version": "1.0.0", "type": "module" }';
    const folder = await reader.folder({ "package.json": manifest, "app.js": program });
    await reader.follow(blockUnder("README.md", "Instrument a service", "sh"), folder);
    const doctor = blockUnder("docs/sdk/doctor.md", "The doctor", "sh");
    const { stdout } = await reader.follow(`export WHENCE_API_KEY=${bootstrapKey}\n${doctor}`, folder);
    expect(stdout).toContain("✓ key: accepted by the server");
    expect(stdout).toContain("What would leave the process unchanged");
  });

  it("can be installed from a file with the service's checksum", async () => {
    const folder = await reader.folder();
    const { stdout } = await reader.follow(blockUnder("docs/self-hosting.md", "Clients", "sh", 1), folder);
    expect(stdout).toContain("node.tgz: OK");
    await reader.follow(`node -e 'require("@whence/node").init({})'`, folder);
  });
});

describe("the terminal command", () => {
  it.each([
    ["README.md", "From a terminal, an agent, or an IDE"],
    ["docs/agents.md", "From a terminal"],
    ["sdks/agent/README.md", "@whence\\/agent"],
  ])("prints the root cause of piped input, as %s says", async (document, heading) => {
    const { stdout } = await reader.follow(blockUnder(document, heading, "sh"), await reader.folder(shop));
    expect(stdout).toContain("Root cause");
    expect(stdout).toContain("cart.js");
  });

  it("is installed permanently as the page about agents says, and runs each line there", async () => {
    const folder = await reader.folder(shop);
    const lines = blockUnder("docs/agents.md", "From a terminal", "sh", 1).trim().split("\n");
    let incident = "";
    for (const line of lines) {
      const { stdout } = await reader.follow(line.replace(/inc_\w+/, incident), folder);
      incident = /inc_\w+/.exec(stdout)?.[0] ?? incident;
    }
    const [analyze = "", verify = ""] = blockUnder("docs/agents.md", "Checking a report", "sh").trim().split("\n");
    await reader.follow(analyze, folder);
    expect((await reader.follow(verify, folder)).stdout).toContain("The report matches its sources.");
  });

  it("can be used as a library as its README says", async () => {
    const folder = await reader.folder();
    await reader.follow(blockUnder("sdks/agent/README.md", "The library", "sh"), folder);
    const program = 'import { Agent } from "@whence/agent"; console.log(typeof Agent);';
    expect((await reader.follow(`node --input-type=module -e '${program}'`, folder)).stdout).toBe("function\n");
    const typed =
      'import { Agent } from "@whence/agent"; export const url: Promise<string> = new Agent({ source: "x", folder: "/" }).analyze({ error_log: "E", files: null }).then((started) => started.url);';
    await Promise.all(["a.mts", "a.cts"].map((file) => writeFile(join(folder, file), typed)));
    const flags = "--strict --noEmit --module nodenext --target es2022 --lib es2022,dom,dom.asynciterable";
    await reader.follow(
      `${process.execPath} ${join(root, "node_modules/typescript/bin/tsc")} ${flags} a.mts a.cts`,
      folder,
    );
  });

  it.each([
    ["docs/sources.md", "uploaded 1 file of orders 2.0.0", blockUnder("docs/sources.md", "Upload it", "sh")],
    ["docs/changes.md", "reported orders 2.0.0: live", blockUnder("docs/changes.md", "Report releases", "sh")],
  ])("reports a release to the service, as %s says", async (_document, said, commands) => {
    const { stdout } = await reader.follow(withKey(commands), await reader.folder(shopSources));
    expect(stdout).toContain(said);
  });

  it("uploads a release as its settings page says", async () => {
    const commands = uploadCommands(reader.server.url);
    const { stdout } = await reader.follow(withKey(commands), await reader.folder(shopSources));
    expect(stdout).toContain("uploaded 1 file of orders 2.0.0");
  });

  it("runs each command of the skill", async () => {
    const folder = await reader.folder(shop);
    for (const { text } of fencesIn(readRepositoryFile("examples/agents/whence/skills/whence-rca/SKILL.md"))) {
      for (const line of text.trim().split("\n")) await reader.follow(line, folder);
    }
  });
});

describe("the registry", () => {
  it("is asked for none of our packages", () => {
    expect(reader.registry.asked()).toEqual(["zod"]);
  });

  it("is replaced by the service in all such commands, and each was run here", () => {
    const ours = shownLines.filter((line) => /\/sdk\/\w+\.tgz/.test(line));
    expect(new Set(ours).size).toBeGreaterThan(5);
    expect(ours.filter((line) => !reader.followed.has(line))).toEqual([]);
  });
});
