import { describe, expect, it } from "vitest";
import { traced } from "../signals-in.ts";

/** What the steps of a failing value ask other services for. */
async function requestsOf(file: string, text: string, log: string) {
  const { signals } = await traced(log, { [file]: text });
  return signals.flatMap(({ request }) => (request ? [request] : []));
}

function inJavaScript(...body: readonly string[]) {
  const code = ["export async function price(sku) {", ...body, "  return answer.net.toFixed(2);", "}"];
  const log = `TypeError: Cannot read properties of undefined (reading 'toFixed')\n    at price (a.js:${body.length + 2}:21)`;
  return requestsOf("a.js", code.join("\n"), log);
}

describe("the request that a value came from", () => {
  it("is that of the response whose body is read, with the parts of its URL", async () => {
    const requests = await inJavaScript(
      "  const response = await fetch(`http://catalog/products/${sku}/price`, { headers: { accept: 'text/json' } });",
      "  const answer = await response.json();",
    );
    expect(requests).toContainEqual({
      urlParts: ["http://catalog/products/", "/price"],
      isHttp: true,
      takesAnyStatus: true,
    });
  });

  it.each([
    ["asks for `ok`", "  if (!response.ok) throw new Error('no');"],
    ["compares the status", "  if (response['status'] >= 400) return null;"],
    ["hands it to an assertion", "  assertAnswered(response);"],
  ])("counts as status-checked when the code %s", async (_, check) => {
    const requests = await inJavaScript(
      "  const response = await fetch('http://catalog/products');",
      check,
      "  const answer = await response.json();",
    );
    expect(requests.map(({ takesAnyStatus }) => takesAnyStatus)).not.toContain(true);
  });

  it("counts as unchecked when only a comment or a text contains the words", async () => {
    const requests = await inJavaScript(
      "  const response = await fetch('http://catalog/products'); // ok: the status is checked by nothing",
      "  log('status ok');",
      "  const answer = await response.json();",
    );
    expect(requests).toContainEqual({ urlParts: ["http://catalog/products"], isHttp: true, takesAnyStatus: true });
  });

  it("is known for any awaited call, and is HTTP only if it says so", async () => {
    const requests = await inJavaScript("  const answer = await catalog.askFor(`/products/${sku}`);");
    expect(requests).toContainEqual({ urlParts: ["/products/"], isHttp: false, takesAnyStatus: false });
  });

  it("is found in Python", async () => {
    const code = [
      "import requests",
      "def price(sku):",
      '    answer = requests.get(f"http://catalog/products/{sku}").json()',
      '    return answer["net"].strip()',
      "",
    ].join("\n");
    const log = `Traceback (most recent call last):\n  File "/srv/a.py", line 4, in price\nKeyError: 'net'\n`;
    expect(await requestsOf("a.py", code, log)).toContainEqual({
      urlParts: ["http://catalog/products/"],
      isHttp: true,
      takesAnyStatus: true,
    });
  });
});
