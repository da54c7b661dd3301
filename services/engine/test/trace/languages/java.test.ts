import { describe, expect, it } from "vitest";
import { endsOf, functionsOn, rulesIn, saidOf } from "./clues-in.ts";

/** A stack trace whose frames are `Class.method:line`, the innermost first, as the JVM prints them. */
function trace(error: string, ...frames: readonly string[]): string {
  const lines = frames.map((frame) => {
    const [, name = "", method, line] = /^(\w+)\.([\w<>]+):(\d+)$/.exec(frame) ?? [];
    return `\tat app.${name}.${method}(${name}.java:${line})`;
  });
  return [`Exception in thread "main" ${error}`, ...lines, ""].join("\n");
}

const npe = "java.lang.NullPointerException";
const inMethod = (code: string): string => `class A {\nvoid f() {\n${code}\n}\n}\n`;

describe("what the JVM says when it throws", () => {
  it.each([
    [
      "a.b().c();",
      `${npe}: Cannot invoke "app.B.c()" because the return value of "app.A.b()" is null`,
      "`a.b()` gave `null`, and that was used",
    ],
    [
      "x = order.total;",
      `${npe}: Cannot read field "total" because "order" is null`,
      "`order` was `null` when it was used",
    ],
    [
      "x = this.store.get(k);",
      `${npe}: Cannot invoke "java.util.Map.get(Object)" because "this.store" is null`,
      "`this.store` was `null` when it was used",
    ],
    [
      "customer.name();",
      `${npe}: Cannot invoke "app.Customer.name()" because "<local1>" is null`,
      "`customer` may have been `null` when a method was called on it",
    ],
    ["customer.name();", npe, "`customer` may have been `null` when a method was called on it"],
    [
      "String s = (String) m.get(k);",
      "java.lang.ClassCastException: class java.lang.Integer cannot be cast to class java.lang.String (x)",
      "`m.get(k)` is cast to `String` and is of type `Integer`",
    ],
    [
      "x = parts[3];",
      "java.lang.ArrayIndexOutOfBoundsException: Index 3 out of bounds for length 2",
      "`parts` has fewer elements than are read",
    ],
    ["x = a / b;", "java.lang.ArithmeticException: / by zero", "`b` was 0 when it was divided by"],
    [
      "x = Integer.parseInt(text);",
      'java.lang.NumberFormatException: For input string: "x"',
      "`text` was `no number` when `parseInt` was called with it",
    ],
    [
      "x = found.get();",
      "java.util.NoSuchElementException: No value present",
      "`found` was empty when its value was taken",
    ],
    [
      'if (a == null) throw new IllegalStateException("no a");',
      "java.lang.IllegalStateException: no a",
      "the code throws this itself, when `a == null`",
    ],
  ])("means the expression in %s", async (code, error, said) => {
    expect(await saidOf(trace(error, "A.f:3"), { "app/A.java": inMethod(code) })).toBe(said);
  });
});

describe("a value in Java", () => {
  const files = {
    "app/Mailer.java":
      "class Mailer {\n  private final Repository people;\n  String of(String id) {\n    Person p = people.find(id);\n    return p.name();\n  }\n}\n",
    "app/Repository.java":
      "class Repository {\n  Map<String, Person> all = new HashMap<>();\n  Person find(String id) {\n    return all.get(id.trim());\n  }\n}\n",
  };

  it("is followed into the class of the field that it is asked of", async () => {
    const log = trace(`${npe}: Cannot invoke "app.Person.name()" because "p" is null`, "Mailer.of:5");
    expect(await endsOf(log, files)).toContain("returns-nothing app/Repository.java:4");
  });

  it("is followed to what was put under its key elsewhere", async () => {
    const log = trace(
      "java.lang.ClassCastException: class java.lang.Integer cannot be cast to class java.lang.String (x)",
      "A.f:3",
    );
    const ends = await endsOf(log, {
      "app/A.java": inMethod('String s = (String) session.get("id");'),
      "app/Login.java": 'class Login {\n  void in(int id) {\n    session.put("id", id);\n  }\n}\n',
    });
    expect(ends.join()).toContain("app/Login.java");
  });

  it("is followed to the line of a properties file", async () => {
    const log = trace('java.lang.NumberFormatException: For input string: "30s"', "A.f:3");
    const ends = await endsOf(log, {
      "app/A.java": inMethod('int x = Integer.parseInt(properties.getProperty("feed.timeout"));'),
      "feed.properties": "feed.url=x\nfeed.timeout=30s\n",
    });
    expect(ends).toContain("data feed.properties:2");
  });
});

describe("code in Java", () => {
  it("has the names of its methods, with their classes", async () => {
    const text =
      "class A {\n  A() {\n    x();\n  }\n  class B {\n    void m() {\n      list.forEach(o -> {\n        y();\n      });\n    }\n  }\n}\n";
    expect(await functionsOn(trace("java.lang.Error: x", "A.m:8", "A.<init>:3"), { "app/A.java": text })).toEqual([
      "B.m",
      "A.<init>",
    ]);
  });

  it.each([
    ["texts compared by identity", "boolean f(String a, String b) { return a == b; }", "identity-comparison 2"],
    ["boxed numbers compared by identity", "boolean f(Integer a, Long b) { return a != b; }", "identity-comparison 2"],
    [
      "an exception that is swallowed",
      'void f() { try { g(); } catch (IOException e) { log.warn("x", e); } }',
      "swallowed-failure 2",
    ],
    [
      "a list changed while it is gone through",
      "void f() { for (A a : all) { all.remove(a); } }",
      "changed-while-iterated 2",
    ],
    ["a map without a lock", "Map<A, B> m = new HashMap<>(); void f() { m.put(a, b); }", "unguarded-map 2"],
    [
      "a file that stays open",
      "void f() { FileReader r = new FileReader(p); r.read(); r.close(); }",
      "unclosed-resource 2",
    ],
  ])("is suspicious: %s", async (_, code, rule) => {
    expect(await rulesIn(trace("java.lang.Error: x", "Z.f:1"), { "app/A.java": `class A {\n${code}\n}\n` })).toEqual([
      rule,
    ]);
  });

  it.each([
    "boolean f(int a, int b) { return a == b; }",
    "boolean f(String a) { return a == null; }",
    "void f() { try { g(); } catch (IOException e) { throw new UncheckedIOException(e); } }",
    "void f() { for (A a : new ArrayList<>(all)) { all.remove(a); } }",
    "Map<A, B> m = new ConcurrentHashMap<>(); void f() { m.put(a, b); }",
    "Map<A, B> m = new HashMap<>(); synchronized void f() { m.put(a, b); }",
    "void f() { try (FileReader r = new FileReader(p)) { r.read(); } }",
  ])("is let alone: %s", async (code) => {
    expect(await rulesIn(trace("java.lang.Error: x", "Z.f:1"), { "app/A.java": `class A {\n${code}\n}\n` })).toEqual(
      [],
    );
  });
});
