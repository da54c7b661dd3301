import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineText } from "../../src/match/error-text.ts";
import { loadSignatures } from "../../src/match/load-signatures.ts";
import { matchSignatures } from "../../src/match/match.ts";
import { SignatureIndex } from "../../src/match/signature-index.ts";
import { parseText } from "../../src/parse/parse.ts";

const signatures = [...loadSignatures().values()].flat();
const idsIn = (text: string): string[] => matchSignatures(parseText(text)).map(({ signature }) => signature.id);
const firstIn = (text: string): string | undefined => idsIn(text)[0];

/** `signature | line`: real lines that the signature must not match; `any` stands for every signature. */
const unrelated = readFileSync(join(import.meta.dirname, "unrelated-lines.txt"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => ({ id: line.slice(0, line.indexOf(" | ")), line: line.slice(line.indexOf(" | ") + 3) }));

/** Starts, middles, and ends of what templates look for. */
const hostileParts = [
  "Error: ",
  "status code ",
  "429",
  "SQLSTATE[",
  "'",
  "`",
  '"',
  "{",
  "(",
  "\n",
  " ",
  "\t",
  "is not a function",
  "Cannot find module '",
  "HTTP/1.1",
  "code=",
  "exit",
  "ÿ",
  "\u{1F600}",
];

describe("an error that was raised while another was being handled", () => {
  const handled = `Traceback (most recent call last):
  File "/app/stock.py", line 9, in item
    return cache[sku]
           ~~~~~^^^^^
KeyError: 'A-1'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/app/views.py", line 21, in show
    row = Item.objects.get(sku=sku)
  File "/app/venv/lib/python3.12/site-packages/django/db/models/query.py", line 649, in get
    raise self.model.DoesNotExist(
shop.models.Item.DoesNotExist: Item matching query does not exist.`;

  it("is the failure", () => {
    expect(firstIn(handled)).toBe("django.does-not-exist");
  });

  it("leaves the handled one for later", () => {
    expect(idsIn(handled)).toContain("python.key-error");
  });

  it("comes after its cause", () => {
    const caused = handled.replace(
      /^During .*$/m,
      "The above exception was the direct cause of the following exception:",
    );
    expect(firstIn(caused)).toBe("python.key-error");
  });
});

describe("quoted words in a message", () => {
  it.each([
    'Error: comment "connect ECONNREFUSED 10.0.0.1:1" is too long',
    "RangeError: name `socket hang up again` is too long",
    "TypeError: 'JavaScript heap out of memory' is no title",
  ])("match no failure when the sentence is about them: %s", (text) => {
    expect(idsIn(text)).toEqual(idsIn(text.replace(/(["'`]).*\1/, '"some words of a user"')));
  });

  it.each([
    [
      'Error: request failed: "connect ECONNREFUSED 10.0.0.1:1"',
      "Error: request failed: connect ECONNREFUSED 10.0.0.1:1",
    ],
    ["Error: 'ECONNREFUSED' was returned", "Error: ECONNREFUSED was returned"],
  ])("match as if they weren't quoted when they are what failed: %s", (quoted, plain) => {
    expect(firstIn(quoted)).toBe(firstIn(plain));
    expect(firstIn(quoted)).toBeDefined();
  });
});

describe("a line that looks like a failure", () => {
  it.each(unrelated)("isn't taken for $id: $line", ({ id, line }) => {
    if (id === "any") expect(idsIn(line)).toEqual([]);
    else expect(idsIn(line)).not.toContain(id);
  });

  it("names an existing signature", () => {
    const known = ["any", ...signatures.map(({ id }) => id)];
    expect(unrelated.filter(({ id }) => !known.includes(id))).toEqual([]);
  });
});

describe("a webhook whose HMAC doesn't fit", () => {
  it("isn't reported as a rejected token", () => {
    const text = [
      "Error: invalid signature",
      "    at verifyWebhook (/srv/app/webhooks.js:12:9)",
      "    at POST (/srv/app/routes/webhooks.js:5:3)",
    ].join("\n");
    expect(idsIn(text).filter((id) => id.startsWith("auth."))).toEqual([]);
  });
});

describe("a signature", () => {
  it("is matched against the innermost cause before the errors it caused", () => {
    const text = [
      "TypeError: fetch failed",
      "    at load (/srv/a.js:1:1) {",
      "  [cause]: Error: getaddrinfo ENOTFOUND db",
      "      at f (node:dns:1:1) {",
      "    code: 'ENOTFOUND'",
      "  }",
      "}",
    ].join("\n");
    expect(idsIn(text)).toEqual(["dns.enotfound", "undici.fetch-failed"]);
  });

  it("is matched by its code against a text that contains no error", () => {
    expect(firstIn("upstream connect error: ECONNREFUSED 10.0.0.1:80")).toBe("errno.econnrefused");
  });

  it("isn't matched by a word that only contains the code", () => {
    expect(firstIn("the variable MY_ENOENT_COUNT rose")).toBeUndefined();
  });

  it("is found on any line of a text without an error, the most specific first", () => {
    const text = [
      "2m  Normal  Pulled  image",
      "1m  Warning  Unhealthy  readiness",
      "10s  dial tcp 10.0.0.7:80: connect: connection refused",
    ];
    expect(firstIn(text.join("\n"))).toBe("errno.econnrefused");
  });

  it("returns the words it matched and the values of its gaps", () => {
    const [match] = matchSignatures(parseText("TypeError: Cannot read properties of undefined (reading 'name')"));
    expect(match?.matched).toBe("Cannot read properties of undefined (reading 'name')");
    expect(match?.groups).toEqual({ value: "undefined", property: "name" });
  });

  it("leaves a value out of its texts when the error doesn't give it", () => {
    const [withHost] = matchSignatures(parseText("Error: getaddrinfo ENOTFOUND payments.internal"));
    const [withoutHost] = matchSignatures(
      parseText("Error: lookup failed\n    at f (/srv/a.js:1:1) {\n  code: 'ENOTFOUND'\n}"),
    );
    expect(withHost?.signature.meaning).toContain("{host}");
    expect(withoutHost?.signature.meaning).not.toContain("{host}");
  });

  it.each([
    ["sqlite3.IntegrityError: CHECK constraint failed: seats_left >= 0", "sqlite.check", { rule: "seats_left >= 0" }],
    ['new row for relation "seats" violates check constraint "left"', "postgres.check", { constraint: "left" }],
    ["Error: Check constraint 'seats_left' is violated.", "mysql.check", { constraint: "seats_left" }],
    ["Error: SQLITE_CONSTRAINT: FOREIGN KEY constraint failed", "sqlite.foreign-key", {}],
    ["Error: SQLITE_CONSTRAINT: NOT NULL constraint failed: seats.hall", "sqlite.not-null", { column: "seats.hall" }],
    ["Error: SQLITE_CONSTRAINT: UNIQUE constraint failed: seats.row", "sqlite.unique", { columns: "seats.row" }],
  ])("is of the kind of constraint that a row breaks: %s", (text, id, groups) => {
    expect(matchSignatures(parseText(text))).toMatchObject([{ signature: { id }, groups }]);
  });

  it("is another one for a write to an ended file than for one to an ended response", () => {
    const file = `Error [ERR_STREAM_WRITE_AFTER_END]: write after end
    at _write (node:internal/streams/writable:489:11)
    at Writable.write (node:internal/streams/writable:510:10)
    at save (/app/src/ledger.js:8:9)`;
    const response = `Error [ERR_STREAM_WRITE_AFTER_END]: write after end
    at write_ (node:_http_outgoing:955:11)
    at ServerResponse.end (node:_http_outgoing:1058:5)
    at show (/app/src/ledger.js:8:9)`;
    expect(idsIn(file)).toEqual(["node.write-after-end"]);
    expect(idsIn(response)).toEqual(["http.write-after-end"]);
  });

  it("hides the signatures that it takes precedence over", () => {
    expect(idsIn("Error: spawn ffmpeg ENOENT")).toEqual(["errno.enoent-spawn"]);
  });
});

describe("the lookup of signatures", () => {
  const index = new SignatureIndex(signatures);
  /** No sample shares a word or code with more signatures than this. */
  const candidatesMax = 80;

  it("compares a line with few of them", () => {
    const samples = signatures.flatMap(({ samples: lines }) => lines);
    const tried = samples.map((sample) => index.candidatesFor(lineText(sample.replaceAll("\n", " "))).length);
    expect(Math.max(...tried)).toBeLessThan(candidatesMax);
  });

  it("finds the start and the end of a text of one megabyte", () => {
    const filler = "2026-03-01T12:00:00Z INFO nothing happened here\n".repeat(20_000);
    expect(firstIn(`dial tcp 10.0.0.7:80: connect: connection refused\n${filler}`)).toBe("errno.econnrefused");
    expect(firstIn(`${filler}dial tcp 10.0.0.7:80: connect: connection refused`)).toBe("errno.econnrefused");
  });

  it("survives any text", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...hostileParts), { maxLength: 60 }), (parts) => {
        for (const match of matchSignatures(parseText(parts.join("")))) expect(match.matched).not.toBe("");
      }),
    );
  });
});

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
