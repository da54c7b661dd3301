import { describe, expect, it } from "vitest";
import { endsOf, functionsOn, rulesIn, saidOf } from "./clues-in.ts";

/** A panic whose frames are `file:line`, the innermost first, as Go prints them. */
function panic(message: string, ...frames: readonly string[]): string {
  const lines = frames.flatMap((frame) => ["main.f(...)", `\t/srv/${frame} +0x1d`]);
  return [`panic: ${message}`, "", "goroutine 1 [running]:", ...lines, "exit status 2", ""].join("\n");
}

const nil = "runtime error: invalid memory address or nil pointer dereference";
const inFunction = (code: string): string => `package a\nfunc f() {\n${code}\n}\n`;

describe("what Go says when it panics", () => {
  it.each([
    ["x := a.b", nil, "`a` was `nil` when a field of it was used"],
    [
      "m.counts[k]++; m.counts[k] = 1",
      "assignment to entry in nil map",
      "`m.counts` was a nil map when it was written to",
    ],
    ["x := rows[i]", "runtime error: index out of range [3] with length 3", "`rows` has fewer elements than are read"],
    [
      "x := v.(string)",
      "interface conversion: interface {} is int, not string",
      "`v` is asserted to be `string` and was `int`",
    ],
    ["x := a / b", "runtime error: integer divide by zero", "`b` was 0 when it was divided by"],
    ["p.jobs <- 1", "send on closed channel", "`p.jobs` was closed when something was sent on it"],
    ['if a > 3 { panic("full") }', "full", "the code throws this itself, when `a > 3`"],
  ])("means the expression in %s", async (code, message, said) => {
    expect(await saidOf(panic(message, "a.go:3"), { "a.go": inFunction(code) })).toBe(said);
  });
});

describe("a value in Go", () => {
  it("is followed to the field that was left out when the struct was made", async () => {
    const files = {
      "a.go": "package a\ntype R struct { m map[string]int }\nfunc (r *R) Add(k string) {\n\tr.m[k] = 1\n}\n",
      "b.go": "package a\nfunc New() *R {\n\treturn &R{}\n}\n",
    };
    expect(await endsOf(panic("assignment to entry in nil map", "a.go:4"), files)).toContain("fallback b.go:3");
  });

  it("is followed through fields and constructors to the return of nil", async () => {
    const files = {
      "a.go":
        "package a\nfunc (c *Client) Name() string {\n\treturn c.cfg.Name\n}\nfunc NewClient(cfg *Config) *Client {\n\treturn &Client{cfg: cfg}\n}\n",
      "main.go": "package main\nfunc main() {\n\tcfg, err := Load()\n\tNewClient(cfg).Name()\n}\n",
      "load.go": 'package a\nfunc Load() (*Config, error) {\n\treturn nil, errors.New("x")\n}\n',
    };
    expect(await endsOf(panic(nil, "a.go:3", "main.go:4"), files)).toContain("returns-nothing load.go:3");
  });

  it("is followed to an environment variable", async () => {
    const files = { "a.go": inFunction('n, _ := strconv.Atoi(os.Getenv("PORT"))\nx := 1 / n') };
    expect(await endsOf(panic("runtime error: integer divide by zero", "a.go:4"), files)).toContain(
      "environment a.go:3",
    );
  });
});

describe("code in Go", () => {
  it("has the names of its functions, with their receivers", async () => {
    const text = "package a\nfunc (t *T) M() {\n\tx()\n}\nfunc F() {\n\tgo func() { y() }()\n}\n";
    expect(await functionsOn(panic("x", "a.go:3", "a.go:6"), { "a.go": text })).toEqual(["T.M", "F"]);
  });

  it.each([
    ["an error that is ignored", "v, _ := load()\nv.use()", "ignored-error 3"],
    ["a map without a lock", "s.items[k] = v", "unguarded-map 3"],
    ["a defer in a loop", "for _, p := range ps {\nq := open(p)\ndefer q.Close()\n}", "defer-in-loop 5"],
    ["a loop that goes too far", "for i := 0; i <= len(xs); i++ {\nuse(xs[i])\n}", "one-too-far 3"],
    ["a channel closed under its senders", "close(p.jobs)\n}\nfunc g() {\np.jobs <- 1", "closed-elsewhere 3"],
  ])("is suspicious: %s", async (_, code, rule) => {
    expect(await rulesIn(panic("x", "z.go:1"), { "a.go": inFunction(code) })).toEqual([rule]);
  });

  it.each([
    "v, err := load()\nif err != nil { return }",
    "s.mu.Lock()\ndefer s.mu.Unlock()\ns.items[k] = v",
    "for i := 0; i < len(xs); i++ {\nuse(xs[i])\n}",
    "for _, p := range ps {\nfunc() {\ndefer p.Close()\n}()\n}",
    "items[k] = v",
    "close(done)",
  ])("is let alone: %s", async (code) => {
    expect(await rulesIn(panic("x", "z.go:1"), { "a.go": inFunction(code) })).toEqual([]);
  });
});
