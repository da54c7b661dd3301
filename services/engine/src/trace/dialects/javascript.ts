import { type Dialect, words } from "./dialect.ts";

const scriptErrors =
  /(?:Error|Exception|Fault|Failure|Rejection|Problem)$|^(?:createError|httpError|fail|invariant|abort|reject|badRequest|notFound|conflict|unauthorized|forbidden)$/;

export const javascript: Dialect = {
  endings: /\.[cm]?[jt]sx?$/,
  constructors: words("constructor"),
  construction: "new-operator",
  exports: "listed",
  undeclared: "global",
  ownModules: "by-form",
  scopes: "block",
  hasSelfParameter: false,
  columnsBeginOperations: false,
  returnsLast: false,
  endsSilently: true,
  hasImplicitSelf: false,
  readsFieldsByCalls: false,
  outOfRange: "nothing",
  remaindersAreSigned: true,
  readsMethodsAsFields: false,
  hasMethodsOutside: false,
  capitalsAreClasses: false,
  waiting: "promises",
  hasEmitters: true,
  givesListToEach: false,
  takesApart: null,
  keepsHandledErrors: false,
  raising: words(""),
  errorMaking: scriptErrors,
  calls: {
    lookups: words("find get match exec pop shift at getItem findLast querySelector getElementById closest"),
    handOn: words(
      "Number String Boolean BigInt Date URL RegExp Array Buffer Error from trim toString toLowerCase toUpperCase join resolve normalize dirname filter slice sort toSorted reverse toReversed flat concat split values keys entries fromEntries assign freeze seal create stringify encodeURIComponent decodeURIComponent max min floor ceil round abs replace replaceAll repeat padStart padEnd all allSettled race any timeout structuredClone cloneDeep clone defaults merge extend then catch finally bind Object isArray",
    ),
    parsing: words("parse load safeLoad json"),
    serializing: words("stringify"),
    bodies: words("json text arrayBuffer blob buffer formData bytes"),
    requests: words("fetch request"),
    httpClients: words("undici"),
    outside: words("fetch json text arrayBuffer blob formData query request readFile readFileSync"),
    computing: words(
      "slice substring substr charAt charCodeAt codePointAt Number parseInt parseFloat Boolean atob btoa toFixed getMonth getDay getDate getTimezoneOffset escape unescape indexOf lastIndexOf",
    ),
    each: words("map flatMap forEach filter find findIndex findLast some every sort then reduce reduceRight"),
    putting: words("set setAttribute setItem defineProperty header setHeader"),
    adding: words("push unshift add append insert"),
    joining: words("update addAll putAll"),
    altering: words(
      "merge delete remove pop shift clear splice sort reverse fill copyWithin discard store put increment incr",
    ),
    optioned: words(""),
    positioned: words("slice substring substr splice charAt charCodeAt"),
    finding: words("indexOf lastIndexOf findIndex findLastIndex search"),
    bounding: words(""),
  },
  writing: {
    isIndented: false,
    self: "this",
    entry: (name) => name,
    empty: new Map([
      ["push", "[]"],
      ["add", "new Set()"],
      ["set", "new Map()"],
    ]),
    copying: null,
  },
  ignoresCaseOfKeys: false,
  durations: [],
  defaultsAreShared: false,
  neverAwaited: null,
  copiedCoroutine: null,
  promiseInMessage: /\[object Promise\]|\bPromise \{|instance of Promise|object Promise is|is not (?:async )?iterable/,
  promisedModules: /(?:^|\/)promises$/,
  plainType: null,
  plainDataInMessage: /is not iterable/,
  builtIn: new Map([
    [
      "Date",
      words(
        "getTime getFullYear getMonth getDate getDay getHours getMinutes getSeconds getMilliseconds getUTCFullYear getUTCMonth getUTCDate getUTCDay getUTCHours getUTCMinutes toISOString toDateString toTimeString toUTCString toLocaleDateString toLocaleTimeString setDate setMonth setFullYear setHours getTimezoneOffset",
      ),
    ],
    ["Map", words("get set clear entries keys values")],
    ["Set", words("has add delete forEach")],
    ["RegExp", words("test exec")],
    ["URL", words("searchParams")],
  ]),
  dataMethods: new Map([
    [
      "a list",
      words(
        "map filter forEach reduce reduceRight find findIndex findLast some every flatMap flat push pop shift unshift splice sort reverse join fill entries keys values includes indexOf lastIndexOf slice concat at toSorted toReversed",
      ),
    ],
    [
      "a string",
      words(
        "split trim trimStart trimEnd toUpperCase toLowerCase replace replaceAll startsWith endsWith padStart padEnd charAt charCodeAt codePointAt substring substr match matchAll search repeat normalize localeCompare includes indexOf lastIndexOf slice concat at",
      ),
    ],
    ["a number", words("toFixed toPrecision toExponential")],
  ]),
  interruption: null,
  handler: null,
  around: {
    entries: [
      ["({", "})"],
      ["_(", ")"],
    ],
    statements: [
      ["", ""],
      ["class _ {", "}"],
      ["async function* _() {", "}"],
    ],
    // An entry without a comma could also be a label and its statement.
    entryEnd: /[^;\s]\s*$/,
  },
  patterns: {
    matching: words("test exec match matchAll replace replaceAll split search"),
    making: words("RegExp"),
    inJavaScript: (text) => text,
  },
  environment: {
    objects: new Set(["process.env", "import.meta.env", "Bun.env"]),
    calls: new Set(["Deno.env.get"]),
    isNamedByMember: true,
    required: new Set(),
  },
};
