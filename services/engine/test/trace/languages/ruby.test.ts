import { describe, expect, it } from "vitest";
import { endsOf, functionsOn, rulesIn, saidOf } from "./clues-in.ts";

/** A backtrace whose frames are `file:line`, the innermost first, as Ruby prints them. */
function backtrace(type: string, message: string, ...frames: readonly string[]): string {
  const [first, ...rest] = frames;
  return [
    `/srv/${first}:in \`f': ${message} (${type})`,
    ...rest.map((frame) => `\tfrom /srv/${frame}:in \`g'`),
    "",
  ].join("\n");
}

const nil = "undefined method `id' for nil:NilClass";
const newNil = "undefined method 'id' for nil";

describe("what Ruby says when it raises", () => {
  it.each([
    ["x = a.b.id", "NoMethodError", nil, "`a.b` was `nil` when `id` was read of it"],
    ["x = a.b.id", "NoMethodError", newNil, "`a.b` was `nil` when `id` was read of it"],
    [
      "x = @all[:k]",
      "NoMethodError",
      "undefined method `[]' for nil:NilClass",
      "`@all` was `nil` when an element of it was read",
    ],
    ["x = a * b", "NoMethodError", "undefined method `*' for nil:NilClass", "`a` was `nil` when `*` was called on it"],
    ["x = o.fetch(:size)", "KeyError", "key not found: :size", "`o` has no `size`"],
    ["x = a / b", "ZeroDivisionError", "divided by 0", "`b` was 0 when it was divided by"],
    ["o[:k] = 1", "FrozenError", "can't modify frozen Hash: {}", "`o` is frozen (`Hash`) and is changed here"],
    ["o << 'x'", "FrozenError", 'can\'t modify frozen String: "a"', "`o` is frozen (`String`) and is changed here"],
    ["x = Missing.new", "NameError", "uninitialized constant Missing", "`Missing` is not defined here"],
    [
      "x = Integer(text)",
      "ArgumentError",
      'invalid value for Integer(): "x"',
      "`text` was `no number` when `Integer` was called with it",
    ],
    ["raise Full, 'x' if a > 3", "Full", "x", "the code throws this itself, when `a > 3`"],
  ])("means the expression in %s (%s)", async (code, type, message, said) => {
    expect(await saidOf(backtrace(type, message, "a.rb:1"), { "a.rb": `${code}\n` })).toBe(said);
  });
});

describe("a value in Ruby", () => {
  it.each([
    ["a rescue that gives nothing", "def make(x)\n  Integer(x) rescue nil\nend\n", "returns-nothing make.rb:2"],
    [
      "the last expression of a branch",
      "def make(x)\n  if x\n    A.new\n  else\n    nil\n  end\nend\n",
      "returns-nothing make.rb:5",
    ],
    ["the environment", "def make(x)\n  ENV['A_B']\nend\n", "environment make.rb:2"],
  ])("is followed into %s", async (_, make, end) => {
    const files = { "a.rb": "x = make(1)\nx.id\n", "make.rb": make };
    expect(await endsOf(backtrace("NoMethodError", nil, "a.rb:2"), files)).toContain(end);
  });

  it("is followed through readers, constructors and the class's own new", async () => {
    const files = {
      "a.rb": "def of(t)\n  1 % t.shards\nend\n",
      "t.rb":
        "class T\n  attr_reader :shards\n  def initialize(shards)\n    @shards = shards\n  end\n  def self.read\n    new(ENV['SHARDS'].to_i)\n  end\nend\n",
    };
    expect(await endsOf(backtrace("ZeroDivisionError", "divided by 0", "a.rb:2"), files)).toContain(
      "environment t.rb:7",
    );
  });

  it("is followed to the key that is spelled almost like it", async () => {
    const files = {
      "a.rb": "def size(options)\n  options.fetch(:concurrency)\nend\n",
      "b.rb": "ALL = {\n  mail: { concurency: 2 }\n}.freeze\nsize(ALL[:mail])\n",
    };
    expect(await endsOf(backtrace("KeyError", "key not found: :concurrency", "a.rb:2", "b.rb:4"), files)).toContain(
      "setting b.rb:2",
    );
  });
});

describe("code in Ruby", () => {
  it("has the names of its methods, with their classes", async () => {
    const text = "class A\n  def m\n    list.each do |o|\n      x\n    end\n  end\n  def self.n\n    y\n  end\nend\n";
    expect(await functionsOn(backtrace("E", "x", "a.rb:4", "a.rb:8"), { "a.rb": text })).toEqual(["A.m", "A.n"]);
  });

  it.each([
    ["a rescue that gives nothing", "def f\n  g rescue nil\nend\n", "swallowed-failure 2"],
    ["a rescue that only logs", "begin\n  g\nrescue E => e\n  puts e.message\nend\n", "swallowed-failure 3"],
    ["a constant that changes", "LIST = []\ndef f(x)\n  LIST.push(x)\nend\n", "mutable-constant 1"],
    ["keys that are texts", "def f\n  JSON.parse(text)\nend\n", "text-keys 2"],
  ])("is suspicious: %s", async (_, text, rule) => {
    expect(await rulesIn(backtrace("E", "x", "z.rb:1"), { "a.rb": text })).toEqual([rule]);
  });

  it.each([
    "begin\n  g\nrescue E => e\n  raise F, e.message\nend\n",
    "LIST = [].freeze\ndef f(x)\n  LIST + [x]\nend\n",
    "def f\n  JSON.parse(text, symbolize_names: true)\nend\n",
  ])("is let alone: %s", async (text) => {
    expect(await rulesIn(backtrace("E", "x", "z.rb:1"), { "a.rb": text })).toEqual([]);
  });
});
