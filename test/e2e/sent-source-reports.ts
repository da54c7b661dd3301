import { type Incident, incidentPageSchema, incidentSchema, type Report, sourceListSchema } from "@whence/protocol";
import { bootstrapKey, eventually, type ServerProcess } from "../servers/server-process.ts";

const headers = { "x-api-key": bootstrapKey };

/** What a service makes of the files that processes sent it. */
export class SentSourceReports {
  readonly #server: ServerProcess;

  constructor(server: ServerProcess) {
    this.#server = server;
  }

  async read(path: string): Promise<unknown> {
    return (await fetch(`${this.#server.url}${path}`, { headers })).json();
  }

  /** Resolves with the newest incident of a service that has a report. */
  async incidentOf(service: string): Promise<Incident | undefined> {
    const page = incidentPageSchema.parse(await this.read(`/api/incidents?service=${service}&status=completed`));
    const [listed] = page.incidents;
    return listed && incidentSchema.parse(await this.read(`/api/incidents/${listed.id}`));
  }

  /** Resolves with the incident of a service once its report quotes a file. */
  async reportQuoting(service: string, file: string): Promise<Incident> {
    return eventually(`a report on ${service} that quotes ${file}`, async () => {
      const incident = await this.incidentOf(service);
      return quoted(incident?.report, file).length > 0 ? incident : undefined;
    });
  }

  /** Resolves with the number of files that are stored for a service. */
  async storedFor(service: string): Promise<number | undefined> {
    const { bundles } = sourceListSchema.parse(await this.read("/api/sources"));
    return bundles.find((bundle) => bundle.service === service)?.files;
  }
}

/** Returns what a report quotes of a file, and where that came from. */
export function quoted(report: Report | undefined, file: string): Report["evidence"] {
  return (report?.evidence ?? []).filter(
    ({ source }) => source.kind === "source_file" && source.name.endsWith(`/${file}`),
  );
}
