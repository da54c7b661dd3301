import { describe, expect, it } from "vitest";
import { ofKind, signalsIn, undefinedRead } from "../signals-in.ts";

/** What is found where a plan has no entry for a weekday: `parse` returns the date of a text. */
async function foundIn(parse: string, read = "date.getDay()"): Promise<object[]> {
  const files = {
    "plan.js": `import { dateOf } from "./dates.js";
const plan = { 1: { room: "A" }, 2: { room: "B" } };
export function roomOn(text) {
  const date = dateOf(text);
  return plan[${read}].room;
}
`,
    "dates.js": `const whole = /^\\d{4}-\\d{2}-\\d{2}$/;\n${parse}\n`,
  };
  const at = `plan[${read}].`.length + "  return ".length + 1;
  return ofKind(await signalsIn(files, undefinedRead("room"), `roomOn (/srv/plan.js:5:${at})`), "utc-day");
}

describe("a date without a time", () => {
  it.each([
    "export function dateOf(text) {\n  if (!whole.test(text)) throw new RangeError(text);\n  return new Date(text);\n}",
    "export function dateOf(text) {\n  const found = text.match(whole) && text;\n  const day = text;\n  return new Date(text);\n}",
    "export const dateOf = (text) => new Date(text.slice(0, 10));",
    'export const dateOf = () => new Date("2026-12-01");',
  ])("is parsed as UTC and read in local time: %s", async (parse) => {
    const [found, ...others] = await foundIn(parse);
    expect(found).toMatchObject({ args: { read: "date.getDay()" } });
    expect(others).toEqual([]);
  });

  it.each([
    "export const dateOf = (text) => new Date(text);",
    "export const dateOf = (text) => new Date(`${text}T00:00:00`);",
    "export const dateOf = (year, month, day) => new Date(year, month - 1, day);",
    'export const dateOf = () => new Date("2026-12-01T00:00");',
  ])("isn't suspected where the text may have a time: %s", async (parse) => {
    expect(await foundIn(parse)).toEqual([]);
  });

  it("isn't suspected where it is read in UTC", async () => {
    const parse = 'export const dateOf = () => new Date("2026-12-01");';
    expect(await foundIn(parse, "date.getUTCDay()")).toEqual([]);
  });

  it.each([
    ["the current time", "new Date().getHours()"],
    ["a date with the offset of the time zone", "(date.getTimezoneOffset(), date.getDay())"],
  ])("isn't suspected where what is read is %s", async (_, read) => {
    expect(await foundIn('export const dateOf = () => new Date("2026-12-01");', read)).toEqual([]);
  });

  it.each([
    ["its day is only logged", "console.log(date.getDay());\n  return plan[date.getUTCDay()].room;"],
    ["another value is missing", "console.log(date.getDay());\n  return text.owner.room;"],
  ])("isn't suspected where %s", async (_, body) => {
    const plan = `const plan = { 1: { room: "A" } };
export function roomOn(text) {
  const date = new Date("2026-12-01");
  ${body}
}
`;
    const column = (body.split("\n")[1] ?? "").lastIndexOf(".room") + 2;
    const signals = await signalsIn({ "plan.js": plan }, undefinedRead("room"), `roomOn (/srv/plan.js:5:${column})`);
    expect(ofKind(signals, "bad-value")).toHaveLength(1);
    expect(ofKind(signals, "utc-day")).toEqual([]);
  });
});
