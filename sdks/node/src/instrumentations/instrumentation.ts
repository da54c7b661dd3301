import type { Client } from "../core/client.ts";

/** Something that the client watches. */
export interface Instrumentation {
  readonly name: string;
  /** Starts watching; what it returns stops it and leaves no trace. */
  start(client: Client): () => void;
}
