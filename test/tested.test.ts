import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readCorpus } from "../bench/rca/corpora/corpus-case.ts";
import { mutableFile } from "../bench/rca/tested/mutations.ts";
import { halfOf } from "../bench/rca/tested/tested-cases.ts";

const source = `package shop

func (s *Shop) Price(name string, count int) (*Price, error) {
	if count < 1 {
		return nil, errors.New("none")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	price := &Price{Name: name, Cents: s.cents["base"]}
	s.last = price
	return price, nil
}
`;

async function mutants(operator: string): Promise<string[]> {
  const { mutations } = await mutableFile("go", source);
  return mutations
    .filter((one) => one.operator === operator)
    .map(({ edits: [{ start, end, text }] }) => `${source.slice(start, end)} → ${text}`);
}

describe("a mutation of a Go file", () => {
  it.each([
    ["negate-condition", "count < 1 → !(count < 1)"],
    ["return-nothing", "price → nil"],
    ["off-by-one", "< → <="],
    ["drop-field", "Name: name,  → "],
    ["missing-release", "defer s.mu.Unlock() → "],
    ["missing-store", "s.last = price → "],
  ])("of the kind %s changes %s", async (operator, change) => {
    expect(await mutants(operator)).toContain(change);
  });

  it("leaves out a guard as a whole", async () => {
    const [guard] = await mutants("drop-guard");
    expect(guard).toMatch(/^if count < 1 \{[^}]*\} → $/);
  });

  it("is in a function, whose name it knows", async () => {
    const { functions } = await mutableFile("go", source);
    expect(functions.atLine(5)?.name).toBe("Price");
    expect(functions.atLine(1)).toBeUndefined();
  });
});

describe("the corpus of failed tests", () => {
  const cases = readCorpus(join(import.meta.dirname, "../bench/rca/corpora/tested"));

  it("has at least 100 cases in Go, in both halves", () => {
    expect(cases.length).toBeGreaterThanOrEqual(100);
    expect(new Set(cases.map(({ group }) => halfOf(group))).size).toBe(2);
  });

  it("has no failure that a compiler found", () => {
    expect(cases.filter(({ log }) => log.includes("[build failed]")).map(({ id }) => id)).toEqual([]);
  });
});
