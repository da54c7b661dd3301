import type { Report } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../investigated.ts";

async function reportOf(log: string, files: Readonly<Record<string, string>>): Promise<Report> {
  return (await investigated(textSubject(log, files))).report;
}

describe("the words for a line of code", () => {
  it("don't say that it sets a name which it only reads", async () => {
    const log = `BadOrder: 'quantity' can't be handled
    at check (/srv/src/check.js:2:9)
`;
    const files = {
      "src/check.js": "function check(order) {\n  throw make(order);\n}\n",
      "src/read.js": "export const read = (body) => body.quantity;\n",
    };
    const text = JSON.stringify(await reportOf(log, files));
    expect(text).not.toMatch(/sets `quantity`|Correct `quantity`/);
  });

  it("don't take a variable of the request for one of the environment", async () => {
    const log = `Traceback (most recent call last):
  File "/srv/app.py", line 6, in application
    return answer(int(method))
ValueError: invalid literal for int() with base 10: 'GET'
`;
    const files = {
      "app.py": `from answers import answer


def application(environ, start_response):
    method = environ["REQUEST_METHOD"]
    return answer(int(method))
`,
    };
    const report = await reportOf(log, files);
    expect(JSON.stringify(report)).not.toMatch(/environment variable|Set `REQUEST_METHOD`/);
    expect(report.root_cause.category).not.toBe("bad-config");
  });

  it.each([
    ["TypeError: years[decade].sort is not a function", "String"],
    ["ReferenceError: x is not defined", "String"],
    ["TypeError: slice() takes 1 positional argument but 2 were given", "String"],
  ])("don't blame a call on the line for %s", async (error, call) => {
    const log = `${error}\n    at decades (/srv/engine.js:2:18)\n`;
    const files = { "engine.js": "function decades(year) {\n  const decade = String(year).slice(0, 3);\n}\n" };
    expect(JSON.stringify(await reportOf(log, files))).not.toContain(`fails in \`${call}`);
  });

  it("name what was read where the call that got it failed", async () => {
    const log = `TypeError: Invalid URL
    at new URL (node:internal/url:899:25)
    at describeTarget (/srv/src/target.js:2:13) {
  code: 'ERR_INVALID_URL',
  input: 'undefined'
}
`;
    const files = {
      "src/target.js": "function describeTarget(config) {\n  const u = new URL(config.databaseUrl);\n}\n",
    };
    expect((await reportOf(log, files)).root_cause_summary).toContain(
      "`describeTarget` (`src/target.js:2`) reads `config.databaseUrl` and fails in `URL` with `TypeError: Invalid URL`. The value was `undefined`.",
    );
  });

  it("quote the text that couldn't be read, and don't say that it is missing", async () => {
    const log = `Exception in thread "main" java.lang.NumberFormatException: For input string: "30s"
	at java.base/java.lang.Integer.parseInt(Integer.java:668)
	at feed.FeedConfig.seconds(FeedConfig.java:5)
	at feed.Main.main(Main.java:4)
`;
    const files = {
      "src/feed/FeedConfig.java":
        "package feed;\n\nclass FeedConfig {\n  int seconds(String key) {\n    return Integer.parseInt(properties.getProperty(key));\n  }\n}\n",
    };
    const report = await reportOf(log, files);
    expect(report.root_cause_summary).toContain("The value was `30s`.");
    expect(JSON.stringify(report)).not.toContain("finds nothing");
  });

  it("say what was suggested for a misspelled name", async () => {
    const log = `/srv/lib/pool.rb:3:in \`fetch': key not found: :concurrency (KeyError)
Did you mean?  :concurency
	from /srv/lib/pool.rb:3:in \`initialize'
`;
    const files = {
      "lib/pool.rb": "class Pool\n  def initialize(options)\n    @size = options.fetch(:concurrency)\n  end\nend\n",
    };
    expect((await reportOf(log, files)).root_cause_summary).toContain("The runtime suggests `:concurency`.");
  });

  it("quote a program's own message rather than what its type means", async () => {
    const log = `Exception in thread "main" java.lang.IllegalStateException: account cash is kept in EUR, not in EUR
	at ledger.Ledger.post(Ledger.java:17)
	at ledger.Main.main(Main.java:7)
`;
    const { root_cause_summary: headline } = await reportOf(log, {});
    expect(headline).toContain("account cash is kept in EUR, not in EUR");
    expect(headline).not.toContain("A method rejected its argument");
  });

  it("don't trace a handled error to a call at the end of the program", async () => {
    const log = `[mailer] cannot read the secret
Error: certificate has expired
    at TLSSocket.onConnectSecure (node:internal/tls/wrap:1787:34)
    at TLSSocket.emit (node:events:514:20) {
  code: 'CERT_HAS_EXPIRED'
}
`;
    const files = {
      "src/main.js": `const { secret } = require("./vault");
async function main() {
  try {
    await secret();
  } catch (error) {
    console.error("cannot read the secret", error);
  }
}
main();
`,
      "src/vault.js": "exports.secret = async () => (await fetch(url)).json();\n",
    };
    expect((await reportOf(log, files)).root_cause_summary).not.toContain("without awaiting");
  });
});
