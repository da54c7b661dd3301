import { availableParallelism } from "node:os";
import { join } from "node:path";
import { env } from "node:process";
import { defaultExclude, defineConfig, type ViteUserConfig } from "vitest/config";
import { SlowestFirst } from "./test/slowest-first.ts";

/** Tests that start servers a machine may not have (NATS, PostgreSQL, Redis, nginx, Chromium). */
const withServers = "**/*.servers.test.ts";
/**
 * Tests that install packages, start a whole service or analyzer, or run the published client in programs of their own:
 * too slow for `pnpm test`. What they start decides, by `test/tidy.test.ts`.
 */
const withPrograms = "**/*.programs.test.ts";
const wholeService = "test/e2e/**/*.test.ts";
/** Minutes, in which it mostly waits for holds to end. */
const faultsOfAFleet = "test/e2e/faults.servers.test.ts";
/** Builds the client once for all test files of a project. */
const clientsBuild = join(import.meta.dirname, "sdks/node/test/build-once.ts");

interface Setup {
  /** Run before each file. */
  readonly setupFiles?: string[];
  readonly experimental?: { readonly viteModuleRunner: boolean };
}

/** Only Vite reads JSX. */
const withJsx: Setup = { experimental: { viteModuleRunner: true } };

/**
 * One package's tests. `isolate` gives each file a process of its own, which loads everything again: for packages with
 * process-wide state (the client's hooks) and for libchdb, which binds one data directory per process.
 */
const project = (
  name: string,
  root: string,
  timeoutSeconds = 120,
  isolate = true,
  { setupFiles = [], ...setup }: Setup = {},
): object => ({
  extends: true,
  root,
  test: {
    name,
    isolate,
    setupFiles,
    ...setup,
    include: ["test/**/*.test.ts"],
    exclude: [...defaultExclude, withServers, withPrograms],
    testTimeout: timeoutSeconds * 1000,
    hookTimeout: timeoutSeconds * 1000,
  },
});

const withRealServers = (
  name: string,
  files: { include: string[]; exclude: string[]; globalSetup?: string[] },
  timeoutSeconds = 600,
): object => ({
  extends: true,
  test: { name, ...files, testTimeout: timeoutSeconds * 1000, hookTimeout: timeoutSeconds * 1000 },
});

/** The folder where `.ci/run` wants the results of each run, under a name of their own. */
const resultsFolder = env.WHENCE_TEST_RESULTS;
const keptResults: ViteUserConfig["test"] =
  resultsFolder === undefined
    ? {}
    : { reporters: ["default", ["json", { outputFile: join(resultsFolder, `${process.pid}.json`) }]] };

const config: ViteUserConfig = defineConfig({
  resolve: { conditions: ["@whence/source"] },
  ssr: { resolve: { conditions: ["@whence/source"] } },
  test: {
    ...keptResults,
    globalSetup: [join(import.meta.dirname, "test/temporary-files.ts")],
    // Half of a service's start is compiling a thousand modules: the processes that tests start do it once.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/compile") },
    pool: "forks",
    // Node runs the sources as they are, and keeps what it compiled: Vite would transform each module in each process.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: SlowestFirst },
    // Tests spend two fifths of their time waiting for processes and timers: two workers more than cores.
    maxWorkers: availableParallelism() + 2,
    // Tests that run side by side start processes.
    maxConcurrency: 2,
    // A test waits for a fact: on a machine ten times slower, it takes ten times longer and passes.
    expect: { poll: { timeout: 100_000 } },
    // A failure names the values, not only how many there are: often its message is all that is left of a run.
    chaiConfig: { truncateThreshold: 2_000 },
    projects: [
      project("protocol", "sdks/protocol", 60, false),
      project("node", "sdks/node", 120, true, {
        setupFiles: [join(import.meta.dirname, "sdks/node/test/as-a-program.ts")],
      }),
      project("agent", "sdks/agent", 120),
      project("mcp", "sdks/mcp", 120),
      project("python", "sdks/python", 600),
      project("storage", "services/storage", 120),
      project("gateway", "services/gateway", 120, false),
      project("engine", "services/engine", 120, false),
      project("vendors", "services/vendors", 120, false),
      project("analyzer", "services/analyzer", 120, false),
      project("server", "services/server", 120),
      project("web", "services/web", 60, false, withJsx),
      {
        extends: true,
        test: {
          name: "repository",
          // They only read, and many parse the same files.
          isolate: false,
          include: ["test/*.test.ts"],
          exclude: [...defaultExclude, withServers],
          // They read every file, which takes minutes on a busy machine.
          testTimeout: 600_000,
        },
      },
      {
        extends: true,
        test: {
          name: "programs",
          globalSetup: [clientsBuild],
          include: [wholeService, withPrograms],
          exclude: [...defaultExclude, withServers],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      // Files start in the order of their projects' names: this one early, and all others beside it.
      // Some take a minute and start half a dozen processes, one after another.
      withRealServers("faults", { include: [faultsOfAFleet], exclude: defaultExclude }, 1_800),
      withRealServers("servers", {
        include: [withServers],
        exclude: [...defaultExclude, faultsOfAFleet],
        globalSetup: [clientsBuild],
      }),
    ],
  },
});

export default config;
