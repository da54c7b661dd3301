import type { Evidence } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { leftOutByRule } from "../../../src/features/incidents/event/left-out.ts";
import { codeAt, codeOf, markedLine } from "../../../src/features/incidents/quoted-code.ts";
import { startedBy, triggerKinds, triggerName } from "../../../src/features/incidents/trigger-names.ts";

const place = { file: "src/a.ts", line: 9, function: null };
const evidence = (changes: Partial<Evidence> = {}): Evidence => ({
  id: "e1",
  source: { kind: "source_file", name: "src/a.ts" },
  observed_at: "",
  summary: "",
  excerpt: "const a = 1;\n  a.b.c;",
  first_line: 8,
  location: place,
  range: null,
  sha256: "",
  ...changes,
});

describe("quoted code", () => {
  const quoted = { code: "const a = 1;\n  a.b.c;", file: "src/a.ts", firstLine: 8, line: 9 };

  it("has the numbers of its lines, and the relevant one", () => {
    expect(codeOf(evidence())).toEqual(quoted);
    expect(markedLine(quoted)).toEqual({ code: "a.b.c;", file: "src/a.ts", firstLine: 9, line: 9 });
  });

  it("doesn't exist where lines have no numbers", () => {
    const { first_line: _, ...without } = evidence();
    expect(codeOf(without)).toBeNull();
  });

  it("is found by its place", () => {
    expect(codeAt(place, [evidence({ location: { ...place, line: 8 } }), evidence()])).toEqual(quoted);
    expect(codeAt({ ...place, file: "src/b.ts" }, [evidence()])).toBeNull();
    expect(codeAt(null, [evidence({ location: null })])).toBeNull();
  });
});

describe("what is missing from an event", () => {
  it("is listed by rule, each field once, wherever it was in a list", () => {
    expect(
      leftOutByRule([
        { rule: "default-name", path: "/breadcrumbs/0/data/headers/cookie" },
        { rule: "added-name", path: "/exceptions/0/properties/access~1token~0" },
        { rule: "default-name", path: "/breadcrumbs/7/data/headers/cookie" },
        { rule: "default-name", path: "/request/headers/authorization" },
      ]),
    ).toEqual([
      {
        rule: "default-name",
        fields: [
          { name: "breadcrumbs.data.headers.cookie", times: 2 },
          { name: "request.headers.authorization", times: 1 },
        ],
      },
      { rule: "added-name", fields: [{ name: "exceptions.properties.access/token~", times: 1 }] },
    ]);
  });
});

describe("what started an analysis", () => {
  it("has a name for every kind, and names the sender of an alert", () => {
    for (const kind of triggerKinds) expect(triggerName(kind)).not.toBe(kind);
    const alert = {
      kind: "alert",
      source: "grafana",
      sender: "Grafana",
      source_id: "als_1",
      key: "k",
      url: null,
      at: "",
    } as const;
    expect(startedBy(alert)).toBe("Alert from Grafana");
    expect(startedBy({ kind: "analyze", agent_id: null, files: 0 })).toBe("Requested");
  });
});
