import type { FrameOrigin, ParsedFrame } from "../../findings/parsed-error.ts";
import type { Span } from "../../source/source-text.ts";
import { frameOrigin } from "../frame-origin.ts";

/** The text between the parentheses. Debuggers print -1 where the line isn't known. */
const sourcePlace = /^([\w$ .-]{1,200}\.(?:java|kts?|scala|sc|groovy|clj[cs]?|py|rb))(?::(?:-1|(\d{1,7})))?$/;
/** Maven puts a space before the parentheses, as JavaScript does. */
const spacedPlace = /^(?:[\w$-]{1,200}\.(?:java|kt|scala|groovy)(?::\d{1,7})?|Native Method|Unknown Source)$/;
const noPlace = /^(?:Native Method|Unknown Source|<generated>|SourceFile|Unknown Source:\d{1,7}|SourceFile:\d{1,7}|)$/;

/** A frame as `StackTraceElement` prints itself, also numbered: `#0 com.shop.Orders.total(Orders.java:31)`. */
const element =
  /^(?:#\d{1,4} )?((?:[\w$-]{1,200}[./]){2,20}[\w$<>]{1,200}\([\w$]{1,200}\.(?:java|kt|scala|groovy):\d{1,7}\))$/;

/**
 * Parses a frame as the JVM prints it: `at java.base/java.util.HashMap.get(HashMap.java:5) ~[app.jar:1.2]`. Null for
 * any other line, including frames of other languages.
 */
export function parseJvmFrame(trimmed: string, printed: Span | null): ParsedFrame | null {
  const call = trimmed.startsWith("at ") ? trimmed.slice(3) : trimmed.endsWith(")") && element.exec(trimmed)?.[1];
  if (!call) return null;
  const open = call.indexOf("(");
  const close = call.indexOf(")", open);
  if (open < 1 || close < 0) return null;
  const inner = call.slice(open + 1, close);
  if (call[open - 1] === " " && !spacedPlace.test(inner)) return null;
  const place = sourcePlace.exec(inner);
  if (!place && !(noPlace.test(inner) && inner !== "")) return null;
  const qualified = withoutModule(call.slice(0, open).trimEnd());
  const dot = qualified.lastIndexOf(".");
  if (dot <= 0 || / /.test(qualified)) return null;
  const owner = qualified.slice(0, dot);
  return {
    function: shortName(owner, qualified.slice(dot + 1)),
    file: place?.[1] ? fileOf(owner, place[1]) : null,
    line: place?.[2] === undefined ? null : Number(place[2]),
    column: null,
    origin: jvmOrigin(qualified, call.slice(close + 1)),
    async: false,
    printed,
    context: null,
  };
}

/** Strips the class loader and module (`app//`, `java.base@17.0.1/`) and a hidden class's address. */
function withoutModule(qualified: string): string {
  const plain = qualified.replace(/\/0x[0-9a-f]{1,16}/, "");
  return plain.slice(plain.lastIndexOf("/") + 1);
}

/** Returns `Orders$Line.total` for `com.shop.Orders$Line` and `total`. */
function shortName(owner: string, method: string): string {
  return `${owner.slice(owner.lastIndexOf(".") + 1)}.${method}`;
}

/** Puts the package's folders in front of the base name: `com/shop/Orders.java`. */
function fileOf(owner: string, base: string): string {
  const folders = owner.split(".").slice(0, -1);
  return [...folders, base].join("/");
}

/** Loggers append the jar; `[classes!/:1.0]` is the application itself. */
function jvmOrigin(qualified: string, packaging: string): FrameOrigin {
  const origin = frameOrigin(null, "jvm", qualified);
  return origin === "app" && /^ ~?\[(?!classes|na:)[\w.-]{1,200}\d\.\d[\w.-]{0,60}\.jar/.test(packaging)
    ? "dependency"
    : origin;
}
