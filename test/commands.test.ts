import { describe, expect, it } from "vitest";
import { packagesIn } from "./package-commands.ts";
import { readRepositoryFile, repositoryFiles } from "./repository-files.ts";

/**
 * Every place from which a person may copy a command: pages, programs with their messages, signatures, configurations.
 */
const texts = repositoryFiles(
  ...[
    "**/*.md",
    ".changeset/*.md",
    ".github/**/*.{md,yml}",
    "examples/**/*.{ts,tsx,json}",
    "deploy/**/*.{conf,env,xml}",
  ],
  ...["{sdks,services}/*/src/**/*.{ts,tsx,yaml}", "services/web/*.html", "docs/.vitepress/**/*.{ts,vue}"],
  ...["docker-compose.yml", "{sdks,services}/*/package.json", "package.json"],
).filter((file) => !file.endsWith("CHANGELOG.md"));

/** Third-party packages that a command may name. */
const thirdParty = new Set([
  ...["pnpm@12", "ts-node", "playwright", "@sentry/cli", "@sentry/node", "sentry-sdk"],
  ...["@opentelemetry/api", "@opentelemetry/sdk-node"],
  ...["opentelemetry-sdk", "opentelemetry-exporter-otlp-proto-http"],
]);
/** Matches what the service serves, under any address, files of it, and a folder of this repository. */
const served =
  /^(?:https?:\/\/[\w.:-]+|\$\w+|\$\{[^}]+\})\/sdk\/(?:node|agent|mcp)\.tgz$|^(?:https?:\/\/[\w.:-]+|\$\{[^}]+\})\/sdk\/simple\/whence$|^\.\/(?:node|agent|mcp)\.tgz$/;

const strangers = (text: string) => packagesIn(text).filter(({ name }) => !served.test(name) && !thirdParty.has(name));

describe("the commands shown anywhere", () => {
  it("name only what the service serves, and known third-party packages", () => {
    const found = texts.map((file) => ({ file, strangers: strangers(readRepositoryFile(file)) }));
    expect(found.filter((one) => one.strangers.length > 0)).toEqual([]);
  });

  it("are many", () => {
    const found = texts.flatMap((file) => packagesIn(readRepositoryFile(file)));
    expect(found.filter(({ name }) => served.test(name)).length).toBeGreaterThan(20);
  });
});

describe("the finder of commands", () => {
  it.each([
    ["npx -y @whence/agent rca -", ["@whence/agent"]],
    ["npx --yes --package=@whence/agent whence rca", ["@whence/agent"]],
    ["npx @whence/node doctor -- node app.js", ["@whence/node"]],
    ["   npm test 2>&1 | npx -y @whence/agent@1 rca - --auto", ["@whence/agent@1"]],
    ["`npm install @whence/node`, or `pnpm add @whence/agent`", ["@whence/node", "@whence/agent"]],
    ["npm i -D @whence/node express", ["@whence/node", "express"]],
    ["npm install \\\n  @whence/node", ["@whence/node"]],
    ["npm exec -- @whence/mcp", ["@whence/mcp"]],
    ["npx -y pnpm@12 dlx @whence/agent", ["pnpm@12", "@whence/agent"]],
    ["npx -y pnpm@12 add @whence/agent", ["pnpm@12", "@whence/agent"]],
    ["pnpm dlx @whence/agent; yarn dlx @whence/mcp", ["@whence/agent", "@whence/mcp"]],
    ["yarn add @whence/node && bunx @whence/agent", ["@whence/node", "@whence/agent"]],
    ["npm create whence", ["whence"]],
    ["pip install whence", ["whence"]],
    ["python -m pip install whence", ["whence"]],
    ["uvx whence", ["whence"]],
    ["go install github.com/whence/whence@latest", ["github.com/whence/whence@latest"]],
    ['const usage = "npx @whence/node doctor";', ["@whence/node"]],
    ['["npx -y @whence/agent sources upload", "b"]', ["@whence/agent"]],
    ['"command": "npx",\n  "args": ["-y", "@whence/mcp"]', ["@whence/mcp"]],
    ['command = "npx"\nargs = ["-y", "@whence/mcp"]', ["@whence/mcp"]],
    ['run("npx", ["--yes", "@whence/mcp"])', ["@whence/mcp"]],
    ["claude mcp add whence -e A=b -- npx -y @whence/mcp", ["@whence/mcp"]],
    ["RUN npm install --global whence", ["whence"]],
  ])("finds the package in %s", (text, names) => {
    expect(strangers(text).map(({ name }) => name)).toEqual(names.filter((name) => name !== "pnpm@12"));
    expect(
      packagesIn(text)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...names].sort());
  });

  it.each([
    "npx -y http://127.0.0.1:4000/sdk/agent.tgz rca -",
    'npx -y "$WHENCE_URL/sdk/agent.tgz" sources upload',
    'npx -y "${WHENCE_URL:-http://127.0.0.1:4000}/sdk/agent.tgz" claim',
    "`npm install ${endpoint}/sdk/node.tgz`",
    "pip install --index-url http://127.0.0.1:4000/sdk/simple whence",
    "`pip install --index-url ${endpoint}/sdk/simple --trusted-host example.com whence`",
    "npm install ./node.tgz",
    "`npm install` again, `npm ci`, and `npx`",
    '"args": ["-y", "https://whence.example.com/sdk/mcp.tgz"]',
    'run("npx", ["--yes", address])',
    "pnpm install --frozen-lockfile",
    "npm test && npm run build",
  ])("accepts %s", (text) => {
    expect(strangers(text)).toEqual([]);
  });

  it.each([
    "npx -y https://whence.example.com/sdk/other.tgz",
    "npx -y http://127.0.0.1:4000/agent.tgz",
    "npm install https://example.com/whence.tgz",
    "npm install ../node.tgz",
    "pip install --index-url https://pypi.org/simple whence",
    "pip install --extra-index-url=http://127.0.0.1:4000/sdk/simple whence",
  ])("finds %s, which isn't served", (text) => {
    expect(strangers(text)).toHaveLength(1);
  });
});
