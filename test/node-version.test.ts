import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

const workspaceSchema = z.object({ nodeVersion: z.string(), catalog: z.object({ node: z.string() }) });

it("checks engines against the Node.js that runs the scripts", () => {
  const workspace = workspaceSchema.parse(
    parse(readFileSync(join(import.meta.dirname, "../pnpm-workspace.yaml"), "utf8")),
  );
  expect(workspace.nodeVersion).toBe(workspace.catalog.node);
});
