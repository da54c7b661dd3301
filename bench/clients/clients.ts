/** A client that CI doesn't run, with a program of it that fails on purpose. */
export interface Client {
  readonly name: string;
  readonly kind: "sentry" | "opentelemetry";
  /** The program, below this folder. */
  readonly folder: string;
  /** Shell commands that build it in a copy of its folder, and then run it there. */
  readonly build: string;
  readonly run: string;
  /** Where the version is written: a file of the folder, or a command that prints it. */
  readonly version: { readonly file: string; readonly pattern: RegExp } | { readonly command: string };
  /** The line that causes the failure. */
  readonly cause: { readonly file: string; readonly text: string };
  /** What the guide tells to set besides the DSN or the endpoint. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Sends over gRPC to a Collector, which passes it on. */
  readonly throughCollector?: boolean;
}

const maven = "mvn -q -B package dependency:copy-dependencies";
const orders = {
  go: { build: "go mod tidy && go build -o orders .", run: "./orders" },
  java: { build: maven, run: 'java -cp "target/classes:target/dependency/*" com.shop.Orders' },
};
const javaCause = { file: "src/main/java/com/shop/Orders.java", text: "placed.lines().size()" };
const openTelemetryJava = {
  ...orders.java,
  kind: "opentelemetry",
  folder: "opentelemetry-java",
  cause: javaCause,
  version: { file: "pom.xml", pattern: /<opentelemetry.version>([\d.]+)/ },
} as const;

export const clients: readonly Client[] = [
  {
    ...{ ...orders.go, name: "sentry-go", kind: "sentry", folder: "sentry-go" },
    version: { file: "go.mod", pattern: /sentry-go v([\d.]+)/ },
    cause: { file: "orders.go", text: "len(placed.lines)" },
  },
  {
    ...{ ...orders.java, name: "io.sentry:sentry", kind: "sentry", folder: "sentry-java" },
    version: { file: "pom.xml", pattern: /<artifactId>sentry<\/artifactId>\s*<version>([\d.]+)/ },
    cause: javaCause,
  },
  {
    ...{ name: "sentry-ruby", kind: "sentry", folder: "sentry-ruby", build: "true", run: "ruby orders.rb" },
    variables: { SENTRY_ENVIRONMENT: "production" },
    version: { command: "ruby -r sentry-ruby -e 'print Sentry::VERSION'" },
    cause: { file: "orders.rb", text: "placed[:lines].length" },
  },
  {
    ...{ name: "sentry-php", kind: "sentry", folder: "sentry-php" },
    ...{ build: "composer install --quiet", run: "php orders.php" },
    version: { file: "composer.json", pattern: /"sentry\/sentry": "([\d.]+)"/ },
    cause: { file: "orders.php", text: "placed['lines']" },
  },
  {
    ...{ name: "sentry (Rust)", kind: "sentry", folder: "sentry-rust" },
    ...{ build: "cargo build --quiet", run: "target/debug/orders" },
    variables: { SENTRY_ENVIRONMENT: "production" },
    version: { file: "Cargo.toml", pattern: /version = "=([\d.]+)"/ },
    cause: { file: "src/main.rs", text: "unwrap()" },
  },
  {
    ...{ ...orders.go, name: "opentelemetry-go", kind: "opentelemetry", folder: "opentelemetry-go" },
    version: { file: "go.mod", pattern: /otel v([\d.]+)/ },
    cause: { file: "orders.go", text: "len(placed.lines)" },
  },
  { ...openTelemetryJava, name: "opentelemetry-java" },
  { ...openTelemetryJava, name: "opentelemetry-java, gRPC, Collector", throughCollector: true },
];
