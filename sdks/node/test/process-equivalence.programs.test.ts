import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { caseGroups, type EquivalenceCase, titleOf } from "./equivalence-cases.ts";
import { renderMatrix } from "./equivalence-matrix.ts";
import { type Programs, preparePrograms } from "./equivalence-programs.ts";
import { type Comparison, compareInAllWays } from "./equivalence-runs.ts";
import { startGateway, type TestGateway } from "./gateway.ts";

const page = join(import.meta.dirname, "..", "..", "..", "docs", "sdk", "process-equivalence.md");
const cases = caseGroups.flatMap((group) => group.cases).map((given) => ({ title: titleOf(given), given }));
const results = new Map<EquivalenceCase, readonly Comparison[]>();
let programs: Programs;
let gateway: TestGateway;

beforeAll(async () => {
  [programs, gateway] = await Promise.all([preparePrograms(), startGateway()]);
});
afterAll(async () => {
  await gateway.close();
  await programs.remove();
});

// Up to two dozen programs per case, four at a time, take minutes on a busy machine.
describe.concurrent("a program that", { timeout: 600_000 }, () => {
  // requirement: telemetry.uncaught-exceptions
  // requirement: telemetry.unhandled-rejections
  // requirement: telemetry.node-18
  it.each(cases)("$title: ends and prints as without the client, which reports it", async ({ given }) => {
    const comparisons = await compareInAllWays(given, programs.folder, gateway);
    const each = <Value>(pick: (comparison: Comparison) => Value): Record<string, Value> =>
      Object.fromEntries(comparisons.map((comparison) => [comparison.name, pick(comparison)]));
    expect(each(({ watched }) => watched)).toEqual(each(({ without }) => without));
    expect(each(({ reported }) => reported)).toEqual(each(({ expected }) => expected));
    results.set(given, comparisons);
  });
});

describe("docs/sdk/process-equivalence.md", () => {
  it("lists what ran and how it ended; `vitest run --project programs process-equivalence -u` writes it", async () => {
    await expect(renderMatrix(results)).toMatchFileSnapshot(page);
  });
});
