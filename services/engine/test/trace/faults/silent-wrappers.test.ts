import { describe, expect, it } from "vitest";
import { ofKind, signalsIn, traced, undefinedRead } from "../signals-in.ts";

const fetching = "import urllib.request, json\nfrom again import again\n\n";
const read = "def total(account):\n    page = statement(account)\n    return page['total']\n";

/** What is noted where `page` is missing, and `again.py` has the decorator of `statement`. */
async function wrappersIn(
  decorator: string,
  use: string,
  body = "return json.load(urllib.request.urlopen(account))",
): Promise<object[]> {
  const bank = `${fetching}${use}\ndef statement(account):\n    ${body}\n\n${read}`;
  const line = bank.split("\n").findIndex((one) => one.includes("page['total']")) + 1;
  const log = `Traceback (most recent call last):\n  File "/srv/bank.py", line ${line}, in total\n    return page['total']\nTypeError: 'NoneType' object is not subscriptable\n`;
  const { signals } = await traced(log, { "bank.py": bank, "again.py": decorator });
  return ofKind(signals, "silent-wrapper");
}

const inner = (end = "") => `    def repeat(*args, **kwargs):
        for _ in range(3):
            try:
                return call(*args, **kwargs)
            except OSError as error:
                print(error)
${end}    return repeat
`;
const plain = `def again(call):\n${inner()}`;
const configured = `import functools\n\ndef again(times):\n    def decorate(call):\n${inner()
  .replace("    def repeat", "    @functools.wraps(call)\n    def repeat")
  .replace(/^/gm, "    ")
  .trimEnd()}\n    return decorate\n`;

describe("a decorator whose function ends without a value", () => {
  it("is named at the handler", async () => {
    expect(await wrappersIn(plain, "@again")).toEqual([{ line: 6, args: { calls: "call" } }]);
  });

  it("is named where it takes settings", async () => {
    expect(await wrappersIn(configured, "@again(3)")).toEqual([{ line: 10, args: { calls: "call" } }]);
  });

  it("isn't named where it raises after its loop", async () => {
    expect(await wrappersIn(`def again(call):\n${inner("        raise TimeoutError()\n")}`, "@again")).toEqual([]);
  });

  it("isn't named where it has no value for what isn't there", async () => {
    expect(await wrappersIn(plain.replace("OSError", "NotFoundError"), "@again")).toEqual([]);
  });

  it("isn't named where the decorated function may end without a value, too", async () => {
    const body = "if account:\n        return json.loads(account)";
    expect(await wrappersIn(plain, "@again", body)).toEqual([]);
  });

  it("isn't named where it handles other errors than a key that a store lacks", async () => {
    expect(await wrappersIn(plain, "@again", "return cache.get(account)")).toEqual([]);
  });

  it.each([
    ["handles every error of a store", plain.replace("OSError", "Exception"), "return cache.get(account)"],
    ["handles the errors of an HTTP client", plain, "return session.get(account)"],
  ])("is named where it %s", async (_, decorator, body) => {
    expect(await wrappersIn(decorator, "@again", body)).toHaveLength(1);
  });
});

describe("a function of JavaScript that calls another for its caller and ends without a value", () => {
  const loop = (called: string, end = "") =>
    `for (let n = 0; n < 3; n++) {\n    try {\n      return await ${called};\n    } catch (error) {\n      console.warn(error);\n    }\n  }${end}`;
  const wrapping = (name: string, end = "") =>
    `export function ${name}(call) {\n  return async (...args) => {\n  ${loop("call(...args)", end)}\n  };\n}\n`;
  const wrappersOf = async (name: string, wrapper: string, load: string): Promise<object[]> => {
    const files = {
      "bank.js": `import { ${name} } from "./again.js";\nasync function fetchPage(account) {\n  return (await fetch(account)).json();\n}\n${load}\nexport async function total(account) {\n  const page = await load(account);\n  return page.total;\n}\n`,
      "again.js": wrapper,
    };
    return ofKind(await signalsIn(files, undefinedRead("total"), "total (/srv/bank.js:8:15)"), "silent-wrapper");
  };

  it.each(["withRetry", "wrap"])("is named at the handler: %s", async (name) => {
    expect(await wrappersOf(name, wrapping(name), `const load = ${name}(fetchPage);`)).toEqual([
      { line: 6, args: { calls: "call" } },
    ]);
  });

  it("is named where it calls the function at once", async () => {
    const again = `export async function again(call) {\n  ${loop("call()")}\n}\n`;
    const load = "const load = (account) => again(() => fetchPage(account));";
    expect(await wrappersOf("again", again, load)).toEqual([{ line: 5, args: { calls: "call" } }]);
  });

  it("isn't named where it throws after its loop", async () => {
    const load = "const load = withRetry(fetchPage);";
    expect(await wrappersOf("withRetry", wrapping("withRetry", "\n  throw new Error();"), load)).toEqual([]);
  });
});
