import { describe, expect, it } from "vitest";
import { ofKind, traced } from "../signals-in.ts";

const torn = "UnknownStreet: no such street: K\uFFFD\uFFFDthener Weg\n    at find (/srv/streets.js:3:9)\n";
const streets = {
  "streets.js": "export function find(street) {\n  if (!known.has(street))\n  throw new UnknownStreet(street);\n}\n",
};

async function foundIn(text: string, log = torn): Promise<object[]> {
  return ofKind((await traced(log, { ...streets, "source.js": text })).signals, "split-text");
}

describe("a stream whose text has a broken character", () => {
  it.each([
    ["class Lines extends Transform {\n  _transform(chunk, _, done) {\n    done(null, chunk.toString());\n  }\n}", 3],
    ['new Transform({\n  transform(bytes, encoding, done) {\n    done(null, bytes.toString("utf8"));\n  },\n})', 3],
    ['socket.on("data", (part) => {\n  take(String(part));\n})', 2],
    ['let body = "";\nrequest.on("data", (chunk) => {\n  body += chunk;\n})', 3],
    ['let body = "";\nfor await (const chunk of request) {\n  body += chunk;\n}', 3],
    ['socket.on("data", (data) => {\n  take(new TextDecoder().decode(data));\n})', 2],
  ])("is decoded part by part: %s", async (text, line) => {
    expect(await foundIn(text)).toEqual([expect.objectContaining({ line })]);
  });

  it.each([
    "class Count extends Transform {\n  _transform(chunk, _, done) {\n    done(null, chunk.length);\n  }\n}",
    'request.setEncoding("utf8");\nrequest.on("data", (chunk) => {\n  body += chunk;\n})',
    'socket.on("data", (data) => take(decoder.decode(data, { stream: true })))',
    'socket.on("data", (data) => take(data.toString("hex")))',
    "const text = Buffer.concat(chunks).toString();",
    'const names = createReadStream(path, "utf8");\nfor await (const chunk of names) {\n  body += chunk;\n}',
    'createReadStream(path, { encoding: "utf8" }).on("data", (chunk) => {\n  body += chunk;\n})',
    "for (const part of parts) {\n  name += part;\n}",
    "class Lines extends Transform {\n  _transform(text, _, done) {\n    this.rest += text;\n    done();\n  }\n}",
  ])("isn't suspected of %s", async (text) => {
    expect(await foundIn(text)).toEqual([]);
  });

  it.each([
    'child.stdout.on("data", (data) => console.log(data.toString()))',
    'child.stdout.on("data", (data) => logger.info("child", data.toString().trim()))',
    'child.stdout.on("data", (data) => {\n  const text = data.toString();\n  console.log(text.trim());\n})',
    'child.stderr.on("data", (data) => process.stderr.write(String(data)))',
    'let said = "";\nchild.stderr.on("data", (data) => {\n  said += data;\n});\nchild.on("exit", () => console.error(said));',
  ])("isn't suspected where it is only logged: %s", async (text) => {
    expect(await foundIn(text)).toEqual([]);
  });

  it.each([
    'child.stdout.on("data", (data) => console.log(take(data.toString())))',
    'child.stdout.on("data", (data) => {\n  const text = data.toString();\n  console.log(text);\n  take(text);\n})',
    'let said = "";\nchild.stdout.on("data", (data) => {\n  said += data;\n  console.log(said);\n});\nchild.on("exit", () => take(said));',
  ])("is decoded part by part where it is logged and handed on: %s", async (text) => {
    expect(await foundIn(text)).toHaveLength(1);
  });

  it("isn't looked for where the error shows no broken character", async () => {
    const text = 'request.on("data", (chunk) => {\n  body += chunk;\n})';
    expect(await foundIn(text, torn.replaceAll("\uFFFD", "ö"))).toEqual([]);
  });

  it.each([
    "def names(response):\n    for chunk in response.iter_content(1024):\n        yield chunk.decode('utf-8')\n",
    "def names(file):\n    while True:\n        chunk = file.read(1024)\n        yield chunk.decode()\n",
  ])("is decoded part by part in Python: %s", async (text) => {
    const line = text.split("\n").findIndex((one) => one.includes("decode")) + 1;
    const code = (text.split("\n")[line - 1] ?? "").trim();
    const log = `Traceback (most recent call last):
  File "/srv/names.py", line ${line}, in names
    ${code}
UnicodeDecodeError: 'utf-8' codec can't decode byte 0xc3 in position 1023: unexpected end of data
`;
    const found = ofKind((await traced(log, { "names.py": text })).signals, "split-text");
    expect(found).toEqual([expect.objectContaining({ line })]);
  });
});
