import { describe, expect, it } from "vitest";
import { isBesideProgram, listsDependencies, programFileKind } from "../../src/releases/program-files.ts";

describe("a file of a program", () => {
  it.each([...["src/a.ts", "a.py", "migrations/1.sql", "schema.prisma", "src/token.ts", "src/secrets/load.go"]])(
    "holds code: %s",
    (path) => {
      expect(programFileKind(path)).toBe("code");
    },
  );

  it.each([
    ...["package-lock.json", "config/app.yaml", "pyproject.toml", "Dockerfile", "Dockerfile.prod", "go.mod", "Gemfile"],
    ...["pom.xml", "build.gradle", "application.properties", "requirements-dev.txt", ".env.example", ".nvmrc"],
    ...["yarn.lock", "shop.csproj", "app/.env.sample"],
  ])("holds data or settings: %s", (path) => {
    expect(programFileKind(path)).toBe("data");
  });

  it.each([
    ...[".env", ".env.production", ".npmrc", ".git/config.json", ".ssh/a.json", "server.key", "cert.pem", "README.md"],
    ...[
      "service-account.json",
      "config/credentials.yaml",
      "secrets/shop.json",
      "token.toml",
      "kubeconfig.yaml",
      "a.png",
    ],
  ])("is nothing that may be read: %s", (path) => {
    expect(programFileKind(path)).toBeNull();
  });

  it.each(["package.json", "a/pnpm-lock.yaml", "requirements.txt", "go.mod", "Cargo.lock", "Pipfile"])(
    "lists dependencies: %s",
    (path) => {
      expect(listsDependencies(path)).toBe(true);
    },
  );

  it.each([
    ...["test/a.js", "src/a.test.ts", "scripts/seed.js", "provoke.js", "load-test.mjs", "jest.config.js", "run.sh"],
    ...["packages/a/bench/run.ts", "pkg/stock_test.go", "conftest.py"],
  ])("doesn't run in the service: %s", (path) => {
    expect(isBesideProgram(path)).toBe(true);
  });

  it.each(["src/tools/search.ts", "src/load.js", "config.js", "lib/scripts/tax.rb", "app/examples/list.py"])(
    "may run in the service: %s",
    (path) => {
      expect(isBesideProgram(path)).toBe(false);
    },
  );
});
