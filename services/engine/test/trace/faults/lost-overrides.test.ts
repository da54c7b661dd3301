import { describe, expect, it } from "vitest";
import { ofKind, signalsIn, traced, undefinedRead } from "../signals-in.ts";

async function lostIn(merge: string, defaults = "{ unit: 'mm' }"): Promise<object[]> {
  const text = `const defaults = ${defaults};\nfunction settingsOf(given) {\n  return ${merge};\n}\nfunction draw(given) {\n  const settings = settingsOf(given);\n  return settings.page.size;\n}\n`;
  return ofKind(
    await signalsIn({ "draw.js": text }, undefinedRead("size"), "draw (/srv/draw.js:7:24)"),
    "lost-override",
  );
}

const last = { line: 3, args: expect.objectContaining({ defaults: "defaults", given: "given", key: null }) };

describe("defaults that are merged over what was given", () => {
  it.each(["{ ...given, ...defaults }", "Object.assign({}, given, defaults)", "_.merge({}, given, defaults)"])(
    "are found: %s",
    async (merge) => {
      expect(await lostIn(merge)).toEqual([last]);
    },
  );

  it.each([
    "{ ...defaults, ...given }",
    "Object.assign({}, defaults, given)",
    "_.defaults({}, given, defaults)",
    "{ ...given, ...overrides }",
    "{ ...defaults, ...otherDefaults }",
    "{ ...given, ...userDefaults }",
    "{ ...given, ...forcedDefaults }",
    "{ ...state, ...initialState }",
  ])("aren't suspected of %s", async (merge) => {
    expect(await lostIn(merge)).toEqual([]);
  });

  it("aren't suspected in a function that resets what was given", async () => {
    const text =
      "function resetTo(given) {\n  return { ...given, ...defaults };\n}\nfunction draw(given) {\n  const settings = resetTo(given);\n  return settings.page.size;\n}\n";
    const signals = await signalsIn({ "draw.js": text }, undefinedRead("size"), "draw (/srv/draw.js:6:24)");
    expect(ofKind(signals, "lost-override")).toEqual([]);
  });

  it.each([
    ["sets", "DEFAULTS = {'red'}\n"],
    ["flags", ""],
  ])("aren't suspected of joined %s", async (_, before) => {
    const name = before ? "DEFAULTS" : "default_flags";
    const text = `${before}def draw(given, default_flags):\n    style = given | ${name}\n    return PENS[style]\n`;
    const line = text.split("\n").length - 1;
    const log = `Traceback (most recent call last):\n  File "/srv/draw.py", line ${line}, in draw\n    return PENS[style]\nKeyError: 7\n`;
    expect(ofKind((await traced(log, { "draw.py": text })).signals, "lost-override")).toEqual([]);
  });

  it("aren't suspected where the failing value doesn't come from them", async () => {
    const text =
      "function log(given) {\n  write({ ...given, ...defaults });\n}\nfunction draw(page) {\n  return page.size;\n}\n";
    const signals = await signalsIn({ "draw.js": text }, undefinedRead("size"), "draw (/srv/draw.js:5:15)");
    expect(ofKind(signals, "lost-override")).toEqual([]);
  });

  it.each(["{**given, **defaults}", "given | defaults"])("are found in Python: %s", async (merge) => {
    const text = `def settings_of(given, defaults):\n    return ${merge}\n\ndef draw(given, defaults):\n    settings = settings_of(given, defaults)\n    return settings["page"]\n`;
    const log = `Traceback (most recent call last):\n  File "/srv/draw.py", line 6, in draw\n    return settings["page"]\nKeyError: 'page'\n`;
    const found = async (one: string) => ofKind((await traced(log, { "draw.py": one })).signals, "lost-override");
    expect(await found(text)).toEqual([{ ...last, line: 2 }]);
    expect(
      await found(
        text
          .replaceAll("(given, defaults)", "(defaults, given)")
          .replace("given |", "defaults |")
          .replace("| defaults", "| given")
          .replace("**given, **defaults", "**defaults, **given"),
      ),
    ).toEqual([]);
  });

  it("are found in Ruby, unless a block chooses", async () => {
    const text = (merge: string): string =>
      `def settings_of(given, defaults)\n  ${merge}\nend\n\ndef draw(given, defaults)\n  settings = settings_of(given, defaults)\n  settings[:page].size\nend\n`;
    const log = "/srv/draw.rb:7:in `draw': undefined method `size' for nil:NilClass (NoMethodError)\n";
    const found = async (merge: string) =>
      ofKind((await traced(log, { "draw.rb": text(merge) })).signals, "lost-override");
    expect(await found("given.merge(defaults)")).toEqual([{ ...last, line: 2 }]);
    expect(await found("defaults.merge(given)")).toEqual([]);
    expect(await found("given.merge(defaults) { |_, old, _| old }")).toEqual([]);
  });
});

describe("a nested object that replaces its default whole", () => {
  const read = async (merge: string, defaults: string) => {
    const text = `const defaults = ${defaults};\nfunction settingsOf(given) {\n  return ${merge};\n}\nfunction draw(given) {\n  const settings = settingsOf(given);\n  return settings.page.size.width;\n}\n`;
    return ofKind(
      await signalsIn({ "draw.js": text }, undefinedRead("width"), "draw (/srv/draw.js:7:29)"),
      "lost-override",
    );
  };

  it("loses the key that the failing code reads", async () => {
    const args = { code: "{ ...defaults, ...given }", defaults: "defaults", given: "given", key: "page", lost: "size" };
    expect(await read("{ ...defaults, ...given }", "{ page: { size: { width: 3 } } }")).toEqual([{ line: 3, args }]);
  });

  it.each([
    ["{ ...defaults, ...given }", "{ page: { margin: 3 } }"],
    ["{ ...defaults, ...given }", "{ size: { width: 3 } }"],
    ["{ ...defaults, ...given, page: { ...defaults.page, ...given.page } }", "{ page: { size: { width: 3 } } }"],
  ])("isn't suspected of %s with %s", async (merge, defaults) => {
    expect(await read(merge, defaults)).toEqual([]);
  });
});
