import { describe, expect, it } from "vitest";
import type { ParsedFrame } from "../../src/findings/parsed-error.ts";
import { isManifest, projectNamesOf } from "../../src/source/project-names.ts";

function owns(manifest: string, text: string, file: string): boolean {
  const frame: ParsedFrame = {
    ...{
      function: null,
      file,
      line: 1,
      column: null,
      origin: "dependency",
      async: false,
      printed: null,
      context: null,
    },
  };
  return projectNamesOf([{ name: manifest, text }]).own(frame);
}

const pom = `<project>
  <parent><groupId>org.framework.boot</groupId></parent>
  <groupId>com.acme.ledger</groupId>
  <dependencies><dependency><groupId>org.other.thing</groupId></dependency></dependencies>
</project>`;

describe("the names in a project's manifests", () => {
  it.each([
    [
      "pyproject.toml",
      '[build-system]\nname = "no"\n\n[project]\nauthors = ["Ada"]\nname = "Big_Ledger"\n',
      "/v/lib/python3.12/site-packages/big_ledger/rows.py",
    ],
    ["setup.cfg", "[metadata]\nname = ledger\n", "/v/lib/python3.12/site-packages/ledger.py"],
    ["setup.py", 'setup(name="ledger", version="1")', "/usr/lib/python3/dist-packages/ledger/rows.py"],
    ["pyproject.toml", '[project]\nname = "PyLedger"\n', "/usr/lib/python3/dist-packages/ledger/rows.py"],
    ["pyproject.toml", '[project]\nname = "acme.ledger"\n', "/usr/lib/python3/dist-packages/acme_ledger/rows.py"],
    ["setup.cfg", "[metadata]\nname = ledger\n", "/usr/lib/python3/dist-packages/libledger/rows.py"],
    ["setup.py", 'setup(name="Books", packages=["ledger"])', "/usr/lib/python3/dist-packages/ledger/rows.py"],
    ["setup.cfg", "[options]\npackages =\n    ledger\n", "/usr/lib/python3/dist-packages/ledger/rows.py"],
    ["pyproject.toml", '[x]\npackages = ["src/ledger", "b"]\n', "/usr/lib/python3/dist-packages/ledger/rows.py"],
    ["pyproject.toml", '[x]\npackages = [{ include = "ledger" }]', "/usr/lib/python3/dist-packages/ledger/rows.py"],
    ["setup.py", 'setup(name="big-ledger")', "/usr/lib/python3/dist-packages/bigledger/rows.py"],
    ["setup.py", "NAME = 'ledger'\n\nsetup(\n    name=NAME,\n)", "/usr/lib/python3/dist-packages/ledger/rows.py"],
    [
      "setup.py",
      "for name in names:\n    name = clean(name)\nsetup(name='ledger')",
      "/usr/lib/python3/dist-packages/ledger/rows.py",
    ],
    [
      "setup.py",
      "setup(name='git-books', entry_points={'console_scripts': ['books = ledger.cli:main']})",
      "/usr/lib/python3/dist-packages/ledger/rows.py",
    ],
    [
      "pyproject.toml",
      '[project]\nname = "git-books"\n[project.scripts]\nbooks = "ledger.cli:main"\n',
      "/usr/lib/python3/dist-packages/ledger/rows.py",
    ],
    [
      "setup.py",
      "path = os.path.join(here, 'ledger', '_version.py')\nsetup(name='git-books')",
      "/usr/lib/python3/dist-packages/ledger/rows.py",
    ],
    ["setup.py", 'exec(open("lib/ledger/version.py").read())', "/usr/lib/python3/dist-packages/ledger/rows.py"],
    ["setup.cfg", "[metadata]\nversion = attr: ledger.__version__\n", "/usr/lib/python3/dist-packages/ledger/rows.py"],
    ["setup.py", 'setup(packages=find_packages(include=["ledger*"]))', "/usr/lib/python3/dist-packages/ledger/rows.py"],
    ["setup.py", "setup(package_data={'ledger': ['*.txt']})", "/usr/lib/python3/dist-packages/ledger/rows.py"],
    ["pyproject.toml", '[tool.flit.module]\nname = "ledger"\n', "/usr/lib/python3/dist-packages/ledger/rows.py"],
    ["package.json", '{ "name": "@acme/ledger" }', "/srv/node_modules/@acme/ledger/dist/rows.js"],
    ["go.mod", "module github.com/Acme/ledger\n", "/root/go/pkg/mod/github.com/!acme/ledger@v1.2.3/rows.go"],
    ["ledger.gemspec", 'spec.name = "ledger"', "/usr/lib/ruby/gems/3.1.0/gems/ledger-2.0.1/lib/rows.rb"],
    ["composer.json", '{ "name": "acme/ledger" }', "/srv/vendor/acme/ledger/src/Rows.php"],
    [
      "Cargo.toml",
      '[package]\nname = "ledger"\n',
      "/root/.cargo/registry/src/index.crates.io-6f1/ledger-0.3.1/src/rows.rs",
    ],
    ["pom.xml", pom, "com/acme/ledger/rows/Rows.java"],
    ["build.gradle", "group = 'com.acme.ledger'", "com/acme/ledger/Rows.java"],
    ["build.gradle", "group = 'com.acme-books.ledger'", "com/acmebooks/ledger/Rows.java"],
  ])("%s makes an installed copy the project's", (manifest, text, file) => {
    expect(isManifest(manifest)).toBe(true);
    expect(owns(manifest, text, file)).toBe(true);
  });

  it.each([
    ["pyproject.toml", '[project]\nname = "ledger"\n', "/v/lib/python3.12/site-packages/ledger_views/rows.py"],
    ["pyproject.toml", '[build-system]\nname = "ledger"\n', "/v/lib/python3.12/site-packages/ledger/rows.py"],
    ["setup.py", "import numpy\nif name == views:run()", "/v/lib/python3.12/site-packages/views/rows.py"],
    [
      "pyproject.toml",
      '[tool.poetry]\npackages = [{ include = "ledger" }, { include = "tests", format = "sdist" }]\n',
      "/v/lib/python3.12/site-packages/tests/rows.py",
    ],
    ["package.json", '{ "name": "big-ledger" }', "/srv/node_modules/bigledger/rows.js"],
    ["package.json", '{ "name": "ledger" }', "/srv/node_modules/other/ledger/rows.js"],
    ["package.json", "{ broken", "/srv/node_modules/ledger/rows.js"],
    ["pom.xml", pom, "org/framework/boot/Rows.java"],
    ["pom.xml", pom, "org/other/thing/Rows.java"],
    ["node_modules/ledger/package.json", '{ "name": "ledger" }', "/srv/node_modules/ledger/rows.js"],
  ])("%s leaves the code of another package to it", (manifest, text, file) => {
    expect(owns(manifest, text, file)).toBe(false);
  });

  it("takes the group of Maven's parent when the project has none of its own", () => {
    const child = "<project><parent><groupId>com.acme.ledger</groupId></parent></project>";
    expect(owns("pom.xml", child, "com/acme/ledger/Rows.java")).toBe(true);
  });

  it("survives a manifest nested deeper than any stack", () => {
    expect(owns("package.json", "[".repeat(200_000), "/srv/node_modules/ledger/rows.js")).toBe(false);
  });

  it("doesn't take a search for packages for the name of one", () => {
    expect(projectNamesOf([{ name: "setup.py", text: "setup(packages=find_packages())" }]).isKnown).toBe(false);
    expect(projectNamesOf([{ name: "setup.cfg", text: "[options]\npackages = find:\n" }]).isKnown).toBe(false);
  });

  it("takes no folder of sources or tests for a package", () => {
    const text = '[tool.poetry]\npackages = [{ include = "ledger", from = "src" }]\ninclude = ["tests"]\n';
    const { rootOf } = projectNamesOf([{ name: "pyproject.toml", text }]);
    expect(rootOf("/srv/books/src/ledger/rows.py")).toBe("/srv/books/src/");
    expect(rootOf("/home/ada/shop/src/main.py")).toBeNull();
    expect(rootOf("/home/ada/shop/tests/main.py")).toBeNull();
  });

  it("reads no names from other files", () => {
    expect(isManifest("src/package.json.ts")).toBe(false);
    expect(projectNamesOf([{ name: "notes.json", text: '{ "name": "ledger" }' }]).isKnown).toBe(false);
  });
});
