import type { Incident } from "@whence/protocol";

/** The last report on each incident in which no model has a part. */
export class EngineReports {
  readonly #read: (id: string) => Promise<Incident>;
  readonly #versions = new Map<string, string>();
  readonly #last = new Map<string, Incident>();

  constructor(read: (id: string) => Promise<Incident>) {
    this.#read = read;
  }

  /** Reads the incidents whose report is new. A model takes longer than the time between two looks. */
  async look(listed: readonly Incident[]): Promise<void> {
    for (const { id, completed_at: completedAt, refinement } of listed) {
      const version = `${completedAt} ${refinement?.refined_at}`;
      if (completedAt === null || this.#versions.get(id) === version) continue;
      this.#versions.set(id, version);
      const incident = await this.#read(id);
      if (incident.report?.engine.model === undefined) this.#last.set(id, incident);
    }
  }

  /** Returns an incident with its last report by the engine alone; as it is when none was seen. */
  last(incident: Incident): Incident {
    return this.#last.get(incident.id) ?? incident;
  }
}
