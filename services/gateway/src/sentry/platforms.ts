import { pythonValue } from "./python-values.ts";
import type { SentryEvent, SentryFrame } from "./read-event.ts";

/** What is particular to the events of one language. */
export interface Platform {
  /** The name of the runtime in a batch. */
  readonly runtime: string;
  /** Returns the file of a frame as the runtime prints it. */
  readonly file: (frame: SentryFrame) => string | undefined;
  /** Returns the function of a frame as the runtime prints it. */
  readonly call: (frame: SentryFrame) => string | undefined;
  /** Returns an error's type as the runtime prints it. */
  readonly type?: (type: string, module: string | undefined) => string;
  /** Returns a stack as the runtime prints it. */
  readonly stack: (error: WrittenError) => string;
  /** Returns the value of a variable that the client wrote as text. */
  readonly value?: (text: string) => unknown;
}

/** One call, with its names as the runtime prints them. */
export interface WrittenCall {
  readonly file: string | undefined;
  readonly name: string | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly source: string | undefined;
}

/** An error and its calls, innermost first. */
export interface WrittenError {
  readonly type: string;
  readonly message: string;
  readonly calls: readonly WrittenCall[];
}

const path = ({ abs_path, filename }: SentryFrame): string | undefined => abs_path ?? filename;
const plainCall = (frame: SentryFrame): string | undefined => frame.function;

function header({ type, message }: WrittenError): string {
  return message === "" ? type : `${type}: ${message}`;
}

function placeOf({ file = "<anonymous>", line, column }: WrittenCall): string {
  return [file, line, column].filter((part) => part !== undefined).join(":");
}

function lines(first: string, calls: readonly string[]): string {
  return [first, ...calls].join("\n");
}

function atLine(call: WrittenCall): string {
  return call.name === undefined ? `    at ${placeOf(call)}` : `    at ${call.name} (${placeOf(call)})`;
}

/** V8 names a function without a name `<anonymous>`, for which Sentry's clients write `?`. */
function javascriptCall({ function: name }: SentryFrame): string | undefined {
  return name === "?" ? undefined : name?.replace(/\.\?$/, ".<anonymous>");
}

const javascript: Omit<Platform, "runtime"> = {
  file: path,
  call: javascriptCall,
  stack: (error) => lines(header(error), error.calls.map(atLine)),
};

const python: Platform = {
  runtime: "python",
  file: path,
  call: plainCall,
  stack: (error) =>
    [
      "Traceback (most recent call last):",
      ...error.calls.toReversed().flatMap(({ file = "<string>", line = 0, name = "<module>", source = "" }) => {
        const place = `  File "${file}", line ${line}, in ${name}`;
        return source.trim() === "" ? [place] : [place, `    ${source.trim()}`];
      }),
      header(error),
    ].join("\n"),
  value: pythonValue,
};

/** Returns `com/shop/Orders.java` for the class `com.shop.Orders` and `Orders.java`. */
function javaFile({ module, filename }: SentryFrame): string | undefined {
  if (filename === undefined || module === undefined || filename.includes("/")) return filename;
  return [...module.split(".").slice(0, -1), filename].join("/");
}

function javaClass(module: string): string {
  return module.slice(module.lastIndexOf(".") + 1);
}

const java: Platform = {
  runtime: "java",
  file: javaFile,
  call: ({ module, function: name }) =>
    module === undefined || name === undefined ? name : `${javaClass(module)}.${name}`,
  type: (type, module) => (module === undefined ? type : `${module}.${type}`),
  stack: (error) =>
    lines(
      header(error),
      error.calls.map(({ file, name = "unknown", line }) => {
        const folders = file?.split("/").slice(0, -1) ?? [];
        const base = file?.split("/").at(-1);
        const place = base === undefined ? "Unknown Source" : line ? `${base}:${line}` : base;
        return `    at ${[...folders, name].join(".")}(${place})`;
      }),
    ),
};

const go: Platform = {
  runtime: "go",
  file: path,
  call: ({ module, function: name }) =>
    module === undefined || name === undefined ? name : `${module.slice(module.lastIndexOf("/") + 1)}.${name}`,
  stack: (error) =>
    lines(
      `${header(error)}\n\ngoroutine 1 [running]:`,
      error.calls.map((call) => `${call.name ?? "unknown"}(...)\n\t${call.file ?? "unknown.go"}:${call.line ?? 0}`),
    ),
};

const ruby: Platform = {
  runtime: "ruby",
  file: path,
  call: plainCall,
  stack: ({ type, message, calls }) => {
    const [first, ...rest] = calls.map(
      ({ file = "(eval)", line = 0, name = "<main>" }) => `${file}:${line}:in '${name}'`,
    );
    return first === undefined
      ? `${message} (${type})`
      : lines(
          `${first}: ${message} (${type})`,
          rest.map((call) => `\tfrom ${call}`),
        );
  },
};

const php: Platform = {
  runtime: "php",
  file: path,
  call: plainCall,
  stack: (error) => {
    const [first] = error.calls;
    const site = first?.file === undefined ? "" : ` in ${first.file}:${first.line ?? 0}`;
    // PHP names the called function beside the place of its caller.
    const calls = error.calls.slice(1).map(({ file, line = 0 }, index) => {
      const name = error.calls[index]?.name ?? "{closure}";
      return file === undefined ? `#${index} [internal function]: ${name}()` : `#${index} ${file}(${line}): ${name}()`;
    });
    return lines(`${header(error)}${site}\nStack trace:`, [...calls, `#${calls.length} {main}`]);
  },
};

/** Returns `Shop.Orders.Total` for `Shop.Orders` and `int Total(Order order)`. */
function dotnetCall({ module, function: signature }: SentryFrame): string | undefined {
  const name = signature?.split("(", 1)[0]?.trim().split(/\s+/).at(-1);
  return module === undefined || name === undefined ? name : `${module}.${name}`;
}

const dotnet: Platform = {
  runtime: "dotnet",
  file: path,
  call: dotnetCall,
  stack: (error) =>
    lines(
      header(error),
      error.calls.map(({ file, line, name = "unknown" }) =>
        file === undefined || line === undefined ? `   at ${name}()` : `   at ${name}() in ${file}:line ${line}`,
      ),
    ),
};

const rust: Platform = {
  runtime: "rust",
  file: path,
  call: ({ function: name }) => (name === "<unknown>" ? undefined : name),
  stack: (error) => {
    // The panic's own calls are the runtime's.
    const site = error.calls.find(({ file }) => file !== undefined && !file.startsWith("/rustc/"));
    return lines(
      `thread 'main' panicked at ${site ? placeOf(site) : "unknown"}:\n${error.message}\nstack backtrace:`,
      error.calls.map((call, index) => {
        const name = `${String(index).padStart(4)}: ${call.name ?? "<unknown>"}`;
        return call.file === undefined ? name : `${name}\n             at ${placeOf(call)}`;
      }),
    );
  },
};

const node: Platform = { ...javascript, runtime: "node" };
const browser: Platform = { ...javascript, runtime: "browser" };

const platforms: ReadonlyMap<string, Platform> = new Map([
  ["node", node],
  ["python", python],
  ["java", java],
  ["go", go],
  ["ruby", ruby],
  ["php", php],
  ["csharp", dotnet],
]);

/** Returns what is particular to the event's language; of an unknown one, stacks are written as JavaScript's. */
export function platformOf({ platform = "", sdk }: Pick<SentryEvent, "platform" | "sdk">, runtime?: string): Platform {
  if (/^sentry\.rust/.test(sdk?.name ?? "")) return rust;
  const known = platforms.get(platform);
  if (known) return known;
  if (platform === "javascript") return /^(?:node|bun|deno)/i.test(runtime ?? "") ? node : browser;
  return { ...javascript, runtime: platform };
}
