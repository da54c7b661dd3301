import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { integrationKindNames } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunWithSecrets, runWithSecrets } from "./secrets/run-with-secrets.ts";
import { findSecrets } from "./secrets/search-secrets.ts";

let folder: string;
let ran: RunWithSecrets;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-secrets-"));
  ran = await runWithSecrets(folder, {});
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("a service with every kind of integration connected", () => {
  it("queried each of them about an incident, or tried to", () => {
    expect(ran.connected.toSorted()).toEqual(integrationKindNames.toSorted());
    expect(ran.asked.length).toBeGreaterThanOrEqual(integrationKindNames.length);
  });

  it("has no secret in its files, its answers, its output, its export, or its backup", () => {
    expect(findSecrets(ran.secrets, ran.places)).toEqual([]);
  });
});
