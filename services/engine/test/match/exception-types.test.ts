import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { matchSignatures } from "../../src/match/match.ts";
import { parseText } from "../../src/parse/parse.ts";

/** What the engine may leave unknown, of the types of a language. */
const unknownShareMax = 0.1;
/** A message that says nothing, so that the type alone is judged. */
const silent = "order 17";

interface Library {
  readonly language: string;
  readonly texts: readonly string[];
}

const libraries: readonly Library[] = readFileSync(join(import.meta.dirname, "exception-types.txt"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [language = "", , listed = ""] = line.split(" | ");
    return { language, texts: textsOf(language, listed) };
  });

/** Go's panics and errors are their messages, and so are Rust's panics; others are types. */
function textsOf(language: string, listed: string): readonly string[] {
  if (language === "go")
    return listed.split("; ").map((text) => (text.startsWith("Error: ") ? text : `${text}\n\ngoroutine 1 [running]:`));
  if (language === "rust")
    return listed.split("; ").map((text) => `thread 'main' panicked at src/main.rs:3:5:\n${text}`);
  if (language === "php")
    return listed.split(" ").map((type) => `PHP Fatal error:  Uncaught ${type}: ${silent} in /app/a.php:3`);
  return listed.split(" ").map((type) => printed(language, type));
}

function printed(language: string, type: string): string {
  switch (language) {
    case "python":
      return `Traceback (most recent call last):\n  File "/app/a.py", line 3, in load\n    load()\n${type}: ${silent}`;
    case "java":
      return `${type}: ${silent}\n\tat shop.Orders.load(Orders.java:3)`;
    case "ruby":
      return `app/a.rb:3:in 'load': ${silent} (${type})\n\tfrom app/b.rb:4:in 'main'`;
    case "csharp":
      return `Unhandled exception. ${type}: ${silent}\n   at Shop.Orders.Load() in /app/a.cs:line 3`;
    default:
      return /^[A-Z]+_/.test(type)
        ? `Error [${type}]: ${silent}\n    at load (/app/a.js:3:1)`
        : `${type}: ${silent}\n    at load (/app/a.js:3:1)`;
  }
}

describe.each([...Map.groupBy(libraries, ({ language }) => language)])("the exception types of %s", (_, members) => {
  it("have a category, but for one in ten", () => {
    const texts = members.flatMap((library) => library.texts);
    const unknown = texts.filter((text) => matchSignatures(parseText(text)).length === 0);
    expect(unknown.length / texts.length, unknown.join("\n")).toBeLessThan(unknownShareMax);
  });
});
