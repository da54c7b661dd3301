/** How a request of the program is made that ends in the injected error, and what the event must say of it. */
export interface HttpTrigger {
  readonly kind: "http";
  readonly method: "GET" | "POST";
  readonly path: (id: string) => string;
  /** A JSON document. */
  readonly body?: (id: string) => string;
  /** Absent where the server has no routes. */
  readonly route?: string;
}

/** Anything else that makes the program run into the injected error: a message, a schedule. */
export interface OtherTrigger {
  readonly kind: "other";
  /** Whether the program listens on `PORT`. */
  readonly listens: boolean;
  /** Resolves with the answer, or with nothing to compare once the error has been dealt with. */
  readonly place: (id: string, target: TriggerTarget) => Promise<string>;
}

/** What a trigger needs of a program that runs. */
export interface TriggerTarget {
  readonly port: number;
  /** Resolves once the program has printed this. */
  printed(expected: string): Promise<void>;
}

/** What the page says of an error in its own column. */
export const facts = ["error", "request", "route", "breadcrumbs", "frames", "release"] as const;
export type Fact = (typeof facts)[number];

/** A program of other people, or one as their documentation tells to write it, and an error injected into it. */
export interface MatrixProgram {
  /** Its folder, and the name of its package. */
  readonly name: string;
  readonly title: string;
  /** Exact versions; the first one is what the row is about. */
  readonly packages: Readonly<Record<string, string>>;
  /**
   * Besides {@link stockFile}. Lines that end in `// coded` are what the client's documentation tells to add; they are
   * blank in the program without it and in the one that is only preloaded.
   */
  readonly files: Readonly<Record<string, string>>;
  /** Arguments of Node, in the program's folder. `node_modules/` is where its packages are, `PORT` its port. */
  readonly start: readonly string[];
  /** What has to run first, once, such as a build. */
  readonly prepare?: readonly string[];
  readonly trigger: HttpTrigger | OtherTrigger;
  /** Versions of Node, the newest by default. */
  readonly runtimes?: readonly string[];
  /** Of the program, where its package isn't the one of its folder. */
  readonly release?: string;
  /** The file with the injected error, as frames name it; {@link stockFile} by default. */
  readonly failingFile?: string;
  /** What a user can do where a fact doesn't arrive. */
  readonly notes?: Partial<Readonly<Record<Fact, string>>>;
  /** Versions of what it depends on, where its own choice can't be installed from every registry. */
  readonly overrides?: Readonly<Record<string, string>>;
  /** Too slow to install for every run of the tests, or in need of a server. */
  readonly isHeavy?: boolean;
  /** A command that has to be on the `PATH`. */
  readonly needs?: string;
}

/** The two orders of each program, under way at the same time. */
export const orderIds = ["31", "32"] as const;

export const stockFile = "stock.cjs";

/** What every program calls. Each of two orders waits for the other; then both fail. */
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

/** The request that most programs serve. */
export function getOrder(route?: string): HttpTrigger {
  return { kind: "http", method: "GET", path: (id) => `/orders/${id}`, ...(route === undefined ? {} : { route }) };
}

export const version = "4.7.11";
export const codedMark = /^.*\/\/ coded$/gm;

/** Whether the client's documentation tells to add something to this program. */
export function isCoded({ files }: MatrixProgram): boolean {
  return Object.values(files).some((text) => text.search(codedMark) >= 0);
}
