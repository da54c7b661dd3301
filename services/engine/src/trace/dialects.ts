/** What is to be known about a language beyond the shape of its code: tables of well-known words. */
export interface Dialect {
  readonly name: "javascript" | "python" | "go" | "java" | "ruby";
  readonly endings: RegExp;
  /** Names of what makes an object of a class, as a method of it. */
  readonly constructors: ReadonlySet<string>;
  /** Whether a variable belongs to its block or to its function. */
  readonly scopes: "block" | "function";
  /** The first parameter of a method is the object, which callers don't write. */
  readonly hasSelfParameter: boolean;
  /** The last expression of a function is what it returns. */
  readonly returnsLast: boolean;
  /** A function can end without a `return`, and then gives nothing. */
  readonly endsSilently: boolean;
  /** Bare names can be fields or methods of the object. */
  readonly hasImplicitSelf: boolean;
  /** Calls that raise an error, as `panic(…)`. */
  readonly raising: ReadonlySet<string>;
  /** Calls that make an error which something else raises or returns. */
  readonly errorMaking: RegExp;
  readonly calls: KnownCalls;
  /** What reads an environment variable, as written; the first group is its name. */
  readonly environment: RegExp;
}

/** What calls are known for that can't be looked into, by the last part of their name. */
export interface KnownCalls {
  /** They give nothing when they find nothing. */
  readonly lookups: ReadonlySet<string>;
  /** They hand on what they are given, or what they are called on. */
  readonly handOn: ReadonlySet<string>;
  /** They turn a text into data. */
  readonly parsing: ReadonlySet<string>;
  /** What they give comes from outside of the process. */
  readonly outside: ReadonlySet<string>;
  /** They turn a value into another: a good one can become a bad one. */
  readonly computing: ReadonlySet<string>;
  /** They hand the elements of what they are called on to the function that they are given. */
  readonly each: ReadonlySet<string>;
  /** They put a value under a key: `put(…, key, value)`. */
  readonly putting: ReadonlySet<string>;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text === "" ? [] : text.split(" "));
}

const scriptErrors =
  /(?:Error|Exception|Fault|Failure|Rejection|Problem)$|^(?:createError|httpError|fail|invariant|abort|reject|badRequest|notFound|conflict|unauthorized|forbidden)$/;
const otherErrors = /(?:Error|Exception|Fault|Failure)$/;

export const dialects: readonly Dialect[] = [
  {
    name: "javascript",
    endings: /\.[cm]?[jt]sx?$/,
    constructors: words("constructor"),
    scopes: "block",
    hasSelfParameter: false,
    returnsLast: false,
    endsSilently: true,
    hasImplicitSelf: false,
    raising: words(""),
    errorMaking: scriptErrors,
    calls: {
      lookups: words("find get match exec pop shift at getItem findLast querySelector getElementById closest"),
      handOn: words(
        "Number String Boolean BigInt Date URL RegExp Array Buffer Error from trim toString toLowerCase toUpperCase join resolve normalize dirname filter slice sort toSorted reverse toReversed flat concat split values keys entries fromEntries assign freeze seal create stringify encodeURIComponent decodeURIComponent max min floor ceil round abs replace replaceAll repeat padStart padEnd all allSettled race any timeout structuredClone cloneDeep clone defaults merge extend then catch finally bind Object isArray",
      ),
      parsing: words("parse load safeLoad json"),
      outside: words("fetch json text arrayBuffer blob formData query request readFile readFileSync"),
      computing: words(
        "slice substring substr charAt charCodeAt codePointAt Number parseInt parseFloat Boolean atob btoa toFixed getMonth getDay getDate getTimezoneOffset escape unescape indexOf lastIndexOf",
      ),
      each: words("map flatMap forEach filter find findIndex findLast some every sort then reduce reduceRight"),
      putting: words("set setAttribute setItem defineProperty header setHeader"),
    },
    environment:
      /^(?:process|import\.meta|Bun|Deno)\.env(?:\.(\w{1,100})$|\[["'](\w{1,100})["']\]$|\.get\(["'](\w{1,100})["']\)$)/,
  },
  {
    name: "python",
    endings: /\.pyi?$/,
    constructors: words("__init__"),
    scopes: "function",
    hasSelfParameter: true,
    returnsLast: false,
    endsSilently: true,
    hasImplicitSelf: false,
    raising: words(""),
    errorMaking: otherErrors,
    calls: {
      lookups: words("get pop find first one_or_none scalar search match fetchone getattr"),
      handOn: words(
        "str bytes list tuple set dict sorted reversed strip lower upper split join encode decode format abs min max round sum copy deepcopy enumerate zip filter map iter next items values keys wait_for gather cast",
      ),
      parsing: words("loads load safe_load json parse reader DictReader"),
      outside: words("urlopen request read read_text recv fetchall fetchone execute"),
      computing: words("int float bool len ord divmod"),
      each: words("map filter"),
      putting: words("setdefault setattr put set"),
    },
    environment:
      /^(?:os\.)?(?:environ\.get|getenv)\(\s*["'](\w{1,100})["']|^(?:os\.)?environ\[\s*["'](\w{1,100})["']\s*\]$/,
  },
  {
    name: "go",
    endings: /\.go$/,
    constructors: words(""),
    scopes: "block",
    hasSelfParameter: false,
    returnsLast: false,
    endsSilently: false,
    hasImplicitSelf: false,
    raising: words("panic Fatal Fatalf Fatalln Panic Panicf"),
    errorMaking: /^(?:Errorf|New|Wrap|Wrapf|WithMessage)$/,
    calls: {
      lookups: words("Get Load Lookup Value FormValue Param First"),
      handOn: words(
        "append string Sprintf Sprint TrimSpace Trim Split Fields ToLower ToUpper Join Replace ReplaceAll TrimSuffix TrimPrefix Clone Sort Copy copy min max",
      ),
      parsing: words("Unmarshal Decode Parse"),
      outside: words("ReadFile ReadAll Do Query QueryRow Scan Open"),
      computing: words("Atoi ParseInt ParseFloat ParseBool ParseDuration int int32 int64 float64 uint len"),
      each: words(""),
      putting: words("Set Store Put Add WithValue"),
    },
    environment: /^(?:os|syscall)\.(?:Getenv|LookupEnv)\(\s*"(\w{1,100})"/,
  },
  {
    name: "java",
    endings: /\.java$/,
    constructors: words("<init>"),
    scopes: "block",
    hasSelfParameter: false,
    returnsLast: false,
    endsSilently: false,
    hasImplicitSelf: true,
    raising: words(""),
    errorMaking: otherErrors,
    calls: {
      lookups: words(
        "get getOrDefault getProperty getParameter getHeader getAttribute getString getInteger getInt getLong getBoolean findFirst findAny findById findOne remove poll peek getFirst",
      ),
      handOn: words(
        "trim strip toLowerCase toUpperCase split substring replace toString valueOf of ofNullable map filter stream collect toList format join concat asList copyOf requireNonNull orElse orElseGet orElseThrow iterator entrySet values keySet",
      ),
      parsing: words("readValue readTree fromJson parse"),
      outside: words("send execute exchange getForObject executeQuery readString readAllBytes readLine"),
      computing: words("parseInt parseLong parseDouble parseBoolean intValue longValue size length indexOf"),
      each: words("map forEach filter flatMap anyMatch allMatch mapToInt mapToLong removeIf ifPresent"),
      putting: words("put set setAttribute setProperty putIfAbsent header"),
    },
    environment: /^System\.(?:getenv|getProperty)\(\s*"([\w.]{1,100})"/,
  },
  {
    name: "ruby",
    endings: /\.(?:rb|rake|ru|gemspec)$/,
    constructors: words("initialize"),
    scopes: "function",
    hasSelfParameter: false,
    returnsLast: true,
    endsSilently: false,
    hasImplicitSelf: true,
    raising: words("raise fail"),
    errorMaking: /(?:Error|Exception|Failure)$/,
    calls: {
      lookups: words("fetch dig find find_by detect first last pop shift match get delete key"),
      handOn: words(
        "to_s to_a to_h map select reject sort sort_by compact flatten uniq strip downcase upcase split join dup clone merge transform_keys symbolize_keys values keys each with_indifferent_access freeze then tap String Array Hash",
      ),
      parsing: words("parse load load_file safe_load"),
      outside: words("get_response read open execute query get post"),
      computing: words("to_i to_f Integer Float size length count"),
      each: words(
        "each map select reject each_with_index flat_map find detect sort_by group_by each_with_object inject sum any? all? collect",
      ),
      putting: words("store set put write"),
    },
    environment: /^ENV\[\s*["'](\w{1,100})["']\s*\]$|^ENV\.(?:fetch|dig|values_at)\(\s*["'](\w{1,100})["']/,
  },
];

/** The language of a file by its name; null for data and for what isn't read as code. */
export function dialectOf(name: string): Dialect | null {
  return dialects.find(({ endings }) => endings.test(name)) ?? null;
}
