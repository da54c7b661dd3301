import type { FingerprintInput } from "../../src/failures/fingerprint.ts";
import { different, type FingerprintPair, same } from "./fingerprint-pairs.ts";

/** An error without frames, with its stack as its language prints it. */
function printed(type: string, message: string, ...stack: string[]): FingerprintInput {
  return { service: "shop", message, exceptions: [{ type, message, stack: stack.join("\n") }] };
}

const go = (message: string, ...calls: [name: string, place: string][]): FingerprintInput =>
  printed(
    "*errors.errorString",
    message,
    "goroutine 1 [running]:",
    ...calls.flatMap(([name, place]) => [`${name}(0xc000012080, 0x1)`, `\t${place} +0x1d`]),
  );
const ruby = (message: string, first: string, ...rest: string[]): FingerprintInput =>
  printed("KeyError", message, `${first}: ${message} (KeyError)`, ...rest.map((call) => `\tfrom ${call}`));
const php = (message: string, site: string, ...calls: string[]): FingerprintInput =>
  printed(
    "TypeError",
    message,
    `TypeError: ${message} in ${site}`,
    "Stack trace:",
    ...calls,
    `#${calls.length} {main}`,
  );
const dotnet = (message: string, ...calls: string[]): FingerprintInput =>
  printed(
    "System.InvalidOperationException",
    message,
    `System.InvalidOperationException: ${message}`,
    ...calls.map((call) => `   at ${call}`),
  );
const rust = (message: string, ...calls: [name: string, place: string][]): FingerprintInput =>
  printed(
    "panic",
    message,
    `thread 'main' panicked at ${calls[0]?.[1]}:`,
    message,
    "stack backtrace:",
    ...calls.flatMap(([name, place], index) => [`   ${index}: ${name}`, `             at ${place}`]),
  );

/** A wrapped error as Sentry's client for Go sends it: only the outermost has calls. */
function wrapped(message: string, caller: string, line: number): FingerprintInput {
  const frames = [{ file: "/srv/shop/stock.go", function: caller, line, in_app: true }];
  return {
    service: "shop",
    message,
    exceptions: [
      { type: "*fmt.wrapError", message: `reserve: ${message}`, stack: "", frames },
      { type: "*errors.errorString", message, stack: "", parent: 0 },
    ],
  };
}

const lost = "no total for ada";
const late = "gave up";
const goTotal: [string, string] = ["main.(*Cart).Total", "/srv/shop/cart.go:12"];
const rustCore: [string, string] = [
  "core::panicking::panic_fmt",
  "/rustc/59807616e1fa/library/core/src/panicking.rs:75:14",
];

/** Pairs as Go, Ruby, PHP, .NET, and Rust print them; names of applications are made up. */
export const serverLanguagePairs: readonly FingerprintPair[] = [
  same(
    "another message and moved lines in Go",
    go(lost, ["panic", "/usr/local/go/src/runtime/panic.go:770"], goTotal, ["main.main", "/srv/shop/main.go:4"]),
    go(
      late,
      ["panic", "/usr/local/go/src/runtime/panic.go:785"],
      ["main.(*Cart).Total", "/srv/shop/cart.go:19"],
      ["main.main", "/srv/shop/main.go:8"],
    ),
  ),
  same(
    "another closure before it in Go",
    go(lost, ["main.serve.func1", "/srv/shop/main.go:12"]),
    go(lost, ["main.serve.func2.1", "/srv/shop/main.go:19"]),
  ),
  different("another method in Go", go(lost, goTotal), go(lost, ["main.(*Cart).Count", "/srv/shop/cart.go:12"])),
  same("moved lines of a wrapped error in Go", wrapped("refused", "reserve", 8), wrapped("refused", "reserve", 31)),
  different(
    "another caller of a wrapped error in Go",
    wrapped("refused", "reserve", 8),
    wrapped("refused", "refund", 8),
  ),
  different("another wrapped error in Go", wrapped("refused", "reserve", 8), wrapped("sold out", "reserve", 8)),
  same(
    "another message, moved lines, and an installed gem in Ruby",
    ruby(lost, "/app/lib/cart.rb:8:in 'total'", "/usr/local/bundle/gems/rack-3.1.8/lib/rack/mock.rb:5:in 'call'"),
    ruby(late, "/app/lib/cart.rb:9:in `total'", "/usr/local/bundle/gems/rack-3.2.0/lib/rack/files.rb:7:in `get'"),
  ),
  different(
    "another method in Ruby",
    ruby(lost, "/app/lib/cart.rb:8:in 'total'"),
    ruby(lost, "/app/lib/cart.rb:8:in 'count'"),
  ),
  same(
    "another message and moved lines in PHP",
    php(lost, "/var/www/shop/src/Cart.php:9", "#0 /var/www/shop/public/index.php(4): Shop\\Cart->total(NULL)"),
    php(late, "/var/www/shop/src/Cart.php:12", "#0 /var/www/shop/public/index.php(7): Shop\\Cart->total(Array)"),
  ),
  different(
    "another method in PHP",
    php(lost, "/var/www/shop/src/Cart.php:9", "#0 /var/www/shop/public/index.php(4): Shop\\Cart->total(NULL)"),
    php(lost, "/var/www/shop/src/Cart.php:9", "#0 /var/www/shop/public/index.php(4): Shop\\Cart->count(NULL)"),
  ),
  same(
    "another message and moved lines in .NET",
    dotnet(
      lost,
      "Shop.Cart.Total(Order order) in /src/Shop/Cart.cs:line 12",
      "Program.<Main>$(String[] args) in /src/Shop/Program.cs:line 3",
    ),
    dotnet(
      late,
      "Shop.Cart.Total(Order order) in /src/Shop/Cart.cs:line 19",
      "Program.<Main>$(String[] args) in /src/Shop/Program.cs:line 5",
    ),
  ),
  same(
    "another number of a state machine in .NET",
    dotnet(lost, "Shop.Cart.<TotalAsync>d__5.MoveNext() in /src/Shop/Cart.cs:line 12"),
    dotnet(lost, "Shop.Cart.<TotalAsync>d__6.MoveNext() in /src/Shop/Cart.cs:line 14"),
  ),
  different(
    "another method in .NET",
    dotnet(lost, "Shop.Cart.Total(Order order) in /src/Shop/Cart.cs:line 12"),
    dotnet(lost, "Shop.Cart.Count(Order order) in /src/Shop/Cart.cs:line 12"),
  ),
  same(
    "another message, compiler, and moved lines in Rust",
    rust(lost, rustCore, ["shop::total::{{closure}}", "/srv/shop/src/cart.rs:9:5"]),
    rust(
      late,
      ["core::panicking::panic_display", "/rustc/1159e78c4747/library/core/src/panicking.rs:62:5"],
      ["shop::total::{closure#0}", "/srv/shop/src/cart.rs:11:9"],
    ),
  ),
  different(
    "another function in Rust",
    rust(lost, rustCore, ["shop::total", "/srv/shop/src/cart.rs:9:5"]),
    rust(lost, rustCore, ["shop::count", "/srv/shop/src/cart.rs:9:5"]),
  ),
];
