import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** The outcome of a batch. `split`: its refused parts went back as separate messages. */
export type BatchOutcome = "stored" | "split" | "retried" | "buried" | "handed_back";

/** The metrics of the writer. */
export interface WriterMetrics {
  readonly eventsStored: Counter;
  readonly insertSeconds: Histogram;
  readonly insertRows: Histogram;
  readonly batches: Counter<"outcome">;
  readonly failuresForwarded: Counter;
  readonly clientDroppedEvents: Counter<"reason">;
  readonly differingEvents: Counter;
  readonly held: Gauge;
}

const insertBucketsSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const rowsBuckets = [1, 10, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 20_000];

/** Registers the metrics of the writer. Call it once per registry. */
export function writerMetrics(registry: Registry): WriterMetrics {
  const registers = [registry];
  return {
    eventsStored: new Counter({
      name: "whence_writer_events_stored_total",
      help: "Events stored; one that came again counts again",
      registers,
    }),
    insertSeconds: new Histogram({
      name: "whence_writer_insert_seconds",
      help: "Duration of an insert, refused ones too",
      buckets: insertBucketsSeconds,
      registers,
    }),
    insertRows: new Histogram({
      name: "whence_writer_insert_rows",
      help: "Events of an insert, refused ones too",
      buckets: rowsBuckets,
      registers,
    }),
    batches: new Counter({
      name: "whence_writer_batches_total",
      help: "Batches that left the writer's hands, by what became of them",
      labelNames: ["outcome"],
      registers,
    }),
    failuresForwarded: new Counter({
      name: "whence_writer_failures_forwarded_total",
      help: "Failures forwarded to the analyzer",
      registers,
    }),
    clientDroppedEvents: new Counter({
      name: "whence_client_dropped_events_total",
      help: "Events that a client or a gateway reported as lost, by reason; 100,000 a batch at most",
      labelNames: ["reason"],
      registers,
    }),
    differingEvents: new Counter({
      name: "whence_writer_differing_events_total",
      help: "Events left out since their id had come with other content, of the latest 50,000 that each writer remembers",
      registers,
    }),
    held: new Gauge({ name: "whence_writer_in_hand", help: "Batches between the queue and the store", registers }),
  };
}
