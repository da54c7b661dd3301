import { existsSync } from "node:fs";
import { join } from "node:path";
import { integrationKindNames } from "@whence/protocol";
import { integrationRegistry } from "@whence/vendors";
import { describe, expect, it } from "vitest";
import { documentationOf } from "../../src/http/integrations/offered-integrations.ts";

const repository = join(import.meta.dirname, "../../../..");
const vendors = integrationKindNames.flatMap((kind) => integrationRegistry.vendorsOf(kind));

describe("every vendor", () => {
  it.each(vendors.map(({ vendor }) => vendor))(
    "has a page of the documentation that is called like it: %s",
    (vendor) => {
      expect(existsSync(join(repository, `${documentationOf(vendor).slice(1)}.md`))).toBe(true);
    },
  );

  it("has a unique name", () => {
    expect(new Set(vendors.map(({ vendor }) => vendor)).size).toBe(vendors.length);
  });
});
