import { join } from "node:path";

const repository: string = join(import.meta.dirname, "../..");

/** The service's main program: its source, or the bundle that `pnpm test:system` builds and names. */
export const serverProgram: string = join(repository, process.env.WHENCE_TEST_SERVER ?? "services/server/src/main.ts");
