import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../../testing.ts";

const checks = `def check(fields, values):
    absent = [field for field in fields if field not in values]
    if absent:
        raise ValueError(f"no value for {absent}")
`;
const log = `Traceback (most recent call last):
  File "/srv/forms/service.py", line 6, in submit
    check(fields_of(name), values)
  File "/srv/forms/checks.py", line 4, in check
    raise ValueError(f"no value for {absent}")
ValueError: no value for ['sku']
`;
const service =
  "from forms.checks import check\nfrom forms.schema import fields_of\n\n\ndef submit(name, values):\n    check(fields_of(name), values)\n";
const causeOf = async (schema: string) => {
  const files = {
    "forms/checks.py": checks,
    "forms/service.py": service,
    "forms/schema.py": schema,
    "forms/defaults.py": 'BASE_FIELDS = ["mail"]\n',
  };
  return (await investigated(textSubject(log, files))).report.root_cause;
};
const extra = 'EXTRA = {"contact": ["text"], "order": ["sku"]}\n\n\n';

describe("a default that code changes for every later use", () => {
  it("is named where a constant is handed out without a copy", async () => {
    const schema = `from forms.defaults import BASE_FIELDS\n${extra}def fields_of(name):\n    fields = BASE_FIELDS\n    fields.extend(EXTRA[name])\n    return fields\n`;
    expect(await causeOf(schema)).toMatchObject({
      location: { file: "forms/schema.py", line: 6, function: "fields_of" },
      statement: expect.stringContaining("hands out `BASE_FIELDS` itself, and `fields.extend(EXTRA[name])` changes it"),
    });
  });

  it("is named where all calls share the default of a parameter", async () => {
    const schema = `${extra}def fields_of(name, fields=["mail"]):\n    fields.extend(EXTRA[name])\n    return fields\n`;
    expect(await causeOf(schema)).toMatchObject({
      location: { file: "forms/schema.py", line: 4, function: "fields_of" },
      statement: expect.stringContaining("gives `fields` one default for all calls"),
    });
  });

  it("is created in each call where calls share it, and isn't spoken of as a constant", async () => {
    const schema = `${extra}def fields_of(name, fields=["mail"]):\n    fields.extend(EXTRA[name])\n    return fields\n`;
    const { report } = await investigated(
      textSubject(log, { "forms/checks.py": checks, "forms/service.py": service, "forms/schema.py": schema }),
    );
    expect(report.short_term_solutions[0]?.title).toBe(
      "Create `fields` in each call of `fields_of` (`forms/schema.py:4`)",
    );
    expect(JSON.stringify([report.short_term_solutions, report.long_term_solutions])).not.toMatch(/Freeze|constant/);
  });

  it("is named in JavaScript, through the function that returns the constant", async () => {
    const files = {
      "src/defaults.mjs": "export const DEFAULTS = { headers: { agent: 'reminders' } };\n",
      "src/message.mjs":
        "import { DEFAULTS } from './defaults.mjs';\n\nexport function newMessage() {\n  return DEFAULTS;\n}\n",
      "src/reminders.mjs":
        "import { newMessage } from './message.mjs';\nimport { check } from './outbox.mjs';\n\nexport function plain() {\n  check(newMessage());\n}\n\nexport function urgent() {\n  const message = newMessage();\n  message.headers['x-priority'] = '1';\n}\n",
      "src/outbox.mjs":
        "export function check({ headers }) {\n  if (headers['x-priority'] !== undefined) throw new Error('plain reminders have no priority');\n}\n",
    };
    const text = `Error: plain reminders have no priority
    at check (file:///srv/src/outbox.mjs:2:50)
    at plain (file:///srv/src/reminders.mjs:5:3)
`;
    expect((await investigated(textSubject(text, files))).report.root_cause).toMatchObject({
      location: { file: "src/message.mjs", line: 4, function: "newMessage" },
      statement: expect.stringContaining("`message.headers['x-priority'] = '1'` changes it"),
    });
  });

  it.each([
    ["a copy", "    fields = list(BASE_FIELDS)\n    fields.extend(EXTRA[name])\n    return fields\n"],
    ["no change", "    fields = BASE_FIELDS\n    return fields + EXTRA[name]\n"],
  ])("isn't named with %s", async (_, body) => {
    const cause = await causeOf(`from forms.defaults import BASE_FIELDS\n${extra}def fields_of(name):\n${body}`);
    expect(cause.statement).not.toContain("hands out");
  });
});
