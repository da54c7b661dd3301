/** A request that ends in the injected error, and what the event must contain. */
export interface HttpTrigger {
  readonly kind: "http";
  readonly method: "GET" | "POST";
  readonly path: (id: string) => string;
  /** A JSON document. */
  readonly body?: (id: string) => string;
  /** Absent where the server has no routes. */
  readonly route?: string;
}

/** Another trigger of the injected error: a message, a schedule. */
export interface OtherTrigger {
  readonly kind: "other";
  /** Whether the program listens on `PORT`. */
  readonly listens: boolean;
  /** Resolves with the response, or with nothing to compare once the error has been handled. */
  readonly place: (id: string, target: TriggerTarget) => Promise<string>;
}

/** What a trigger needs of a running program. */
export interface TriggerTarget {
  readonly port: number;
  /** Resolves once the program has printed this. */
  printed(expected: string): Promise<void>;
}

/** What the page says about an error, each in its own column. */
export const facts = ["error", "request", "route", "breadcrumbs", "frames", "release"] as const;
export type Fact = (typeof facts)[number];

/** A third-party program, or one written by its framework's documentation, with an injected error. */
export interface MatrixProgram {
  /** Its folder and package name. */
  readonly name: string;
  readonly title: string;
  /** Exact versions; the row is about the first one. */
  readonly packages: Readonly<Record<string, string>>;
  /**
   * Files in addition to {@link stockFile}. Lines that end in `// coded` are what the client's documentation adds; they
   * are blank in the program without it and with it only preloaded.
   */
  readonly files: Readonly<Record<string, string>>;
  /**
   * Arguments of Node, run in the program's folder. `node_modules/` stands for the folder of its packages, `PORT` for
   * its port.
   */
  readonly start: readonly string[];
  /** A command to run once before, such as a build. */
  readonly prepare?: readonly string[];
  readonly trigger: HttpTrigger | OtherTrigger;
  /** Versions of Node; by default the newest. */
  readonly runtimes?: readonly string[];
  /** The program's release, if its package isn't the one of its folder. */
  readonly release?: string;
  /** The file with the injected error as frames name it; {@link stockFile} by default. */
  readonly failingFile?: string;
  /** What a user can do where a fact doesn't arrive. */
  readonly notes?: Partial<Readonly<Record<Fact, string>>>;
  /** Versions of its dependencies, where its own choice can't be installed from every registry. */
  readonly overrides?: Readonly<Record<string, string>>;
  /** Whether it is too slow to install for every run of the tests, or needs a server. */
  readonly isHeavy?: boolean;
  /** A command that must be on the `PATH`. */
  readonly needs?: string;
}

/** The two orders of each program, placed concurrently. */
export const orderIds = ["31", "32"] as const;

export const stockFile = "stock.cjs";

/** The code that every program calls. Each of two orders waits for the other; then both fail. */
export const stock = `let meet;
const both = new Promise((resolve) => { meet = resolve; });
let orders = 0;

exports.takeFromStock = async function takeFromStock(id) {
  console.log("order " + id);
  orders += 1;
  if (orders === 2) meet();
  await both;
  throw new Error("no stock of " + id); // injected
};
`;

/** Returns the request that most programs serve. */
export function getOrder(route?: string): HttpTrigger {
  return { kind: "http", method: "GET", path: (id) => `/orders/${id}`, ...(route === undefined ? {} : { route }) };
}

export const version = "4.7.11";
export const codedMark = /^.*\/\/ coded$/gm;

/** Whether the client's documentation adds something to this program. */
export function isCoded({ files }: MatrixProgram): boolean {
  return Object.values(files).some((text) => text.search(codedMark) >= 0);
}
