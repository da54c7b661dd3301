import { describe, expect, it } from "vitest";
import { parseText } from "../../src/parse/parse.ts";

describe("whose code a call of Python is", () => {
  it.each([
    ["runtime", "/usr/lib64/python2.6/os.py"],
    ["runtime", "/usr/lib/pypy3.7/lib-python/3/tracemalloc.py"],
    ["runtime", "/opt/pypy/lib/pypy3.10/tracemalloc.py"],
    ["dependency", "/opt/pypy/lib/pypy3.10/site-packages/gridlib/cells.py"],
    ["runtime", "[...]/python-2.7.5.amd64/lib/ntpath.py"],
    ["runtime", ".../python3.12/logging/__init__.py"],
    ["dependency", ".../python3.12/site-packages/gridlib/cells.py"],
    ["app", ".../depot/python3.12/ledger.py"],
    ["dependency", "/home/ada/shared/Chameleon-3.10.0-py3.10.egg/chameleon/utils.py"],
    ["dependency", "/srv/depot/depot/patched/_vendor/markers.py"],
    ["app", "/srv/depot/depot/vendors/markers.py"],
    ["app", "/home/ada/python3.9/lib/ledger.py"],
    ["app", "/srv/python-scripts/lib/ledger.py"],
  ])("is %s for %s", (origin, file) => {
    const log = `Traceback (most recent call last):\n  File "${file}", line 2, in walk\n    return x\nKeyError: 'a'\n`;
    expect(parseText(log).exceptions[0]?.frames[0]).toMatchObject({ file, origin });
  });
});

describe("whose code a call of Go is", () => {
  it.each([
    ["app", "go.example.org/depot/freight.(*Crate).Seal", "/src/freight/crate.go"],
    ["app", "text.example.org/depot.Print", "/src/depot/print.go"],
    ["runtime", "go/ast.Walk", "go/ast/walk.go"],
    ["runtime", "text/template.(*Template).Execute", "text/template/exec.go"],
    ["runtime", "runtime.goexit", "runtime/asm_amd64.s"],
  ])("is %s for %s", (origin, name, file) => {
    const log = `panic: closed\n\ngoroutine 1 [running]:\n${name}(0x1)\n\t${file}:12 +0x1d\n`;
    expect(parseText(log).exceptions[0]?.frames[0]).toMatchObject({ file, origin });
  });
});

describe("whose code a call of the JVM is", () => {
  it.each([
    ["dependency", "org.hamcrest.MatcherAssert.assertThat"],
    ["dependency", "freemarker.core.Environment.process"],
    ["app", "org.hamcrestlike.Matchers.match"],
    ["app", "org.example.jersey.Requests.send"],
  ])("is %s for %s", (origin, name) => {
    const log = `java.lang.IllegalStateException: closed\n\tat ${name}(Source.java:12)\n`;
    expect(parseText(log).exceptions[0]?.frames[0]).toMatchObject({ origin });
  });
});

describe("whose code a call of JavaScript is", () => {
  it.each([
    ["runtime", "util.js"],
    ["runtime", "_http_client.js"],
    ["runtime", "node:util"],
    ["app", "./crypto.js"],
    ["app", "webpack:///./util.js"],
    ["app", "webpack://shop/./cluster.js"],
    ["app", "/srv/util.js"],
    ["app", "carts.js"],
  ])("is %s for %s", (origin, file) => {
    const log = `RangeError: too many\n    at load (${file}:1:2)\n`;
    expect(parseText(log).exceptions[0]?.frames[0]).toMatchObject({ function: "load", origin });
  });
});

describe("whose code a call in pasted JSON is", () => {
  it.each([
    ["isn't the program's own where the client says so", "in_app", false, { origin: "dependency", disowned: true }],
    ["isn't the program's own where Bugsnag says so", "inProject", false, { origin: "dependency", disowned: true }],
    ["is shown by its path where the client says that it's the program's own", "in_app", true, { origin: "app" }],
  ])("%s", (_, name, isOwn, expected) => {
    const stacktrace = { frames: [{ filename: "acme/prices.py", lineno: 3, function: "total", [name]: isOwn }] };
    const pasted = JSON.stringify({ type: "ValueError", value: "no price", stacktrace });
    const frame = parseText(pasted).exceptions[0]?.frames[0];
    expect(frame).toMatchObject(expected);
    expect(frame && "disowned" in frame).toBe(!isOwn);
  });
});
