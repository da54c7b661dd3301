import type {
  FileContent,
  FirstFailingCommit,
  Incident,
  Observed,
  Report,
  TriedPatch,
  UndoneChange,
  WatchedRun,
} from "@whence/protocol";
import type { Agent } from "../agent.ts";
import { seenFiles } from "./seen-files.ts";

/** The result of an analysis. */
export type Reported = Pick<Incident, "report">;

/** What an explanation asks of its surroundings. */
export interface ExplanationPorts<Analyzed extends Reported> {
  readonly agent: Pick<Agent, "analyze">;
  /** Waits for the end of an analysis. */
  readonly finished: (id: string) => Promise<Analyzed>;
  /** Reads the source files that explain an error text, those in which something was seen, and others that ran. */
  readonly filesFor: (
    errorText: string,
    seenIn: readonly string[],
    loaded: readonly string[],
  ) => Promise<readonly FileContent[]>;
  readonly signal: AbortSignal;
}

/** A failure with its latest report, and everything that was seen of it. */
export class ExplainedFailure<Analyzed extends Reported> {
  readonly #errorText: string;
  readonly #ports: ExplanationPorts<Analyzed>;
  readonly #runs: WatchedRun[] = [];
  readonly #tried: TriedPatch[] = [];
  #since: FirstFailingCommit | undefined;
  #undone: UndoneChange | undefined;
  #undoneFiles: readonly string[] = [];
  #seenIn: readonly string[] = [];
  #loaded: readonly string[] = [];
  #files: readonly FileContent[];
  #incident: Analyzed;
  #problem: unknown = null;

  private constructor(
    errorText: string,
    ports: ExplanationPorts<Analyzed>,
    files: readonly FileContent[],
    incident: Analyzed,
  ) {
    this.#errorText = errorText;
    this.#ports = ports;
    this.#files = files;
    this.#incident = incident;
  }

  /** Analyzes what a failing command printed. Rejects when that can't be analyzed. */
  static async of<Analyzed extends Reported>(
    errorText: string,
    ports: ExplanationPorts<Analyzed>,
  ): Promise<ExplainedFailure<Analyzed>> {
    const files = await ports.filesFor(errorText, [], []);
    const incident = await analyzed(errorText, files, { runs: [] }, ports);
    return new ExplainedFailure(errorText, ports, files, incident);
  }

  /** The latest analysis that has a report; the first one if none has. */
  get incident(): Analyzed {
    return this.#incident;
  }

  get report(): Report | undefined {
    return this.#incident.report;
  }

  /** The files that were sent last. */
  get files(): readonly FileContent[] {
    return this.#files;
  }

  /** Why the last analysis has no report; null when it has, or when it only failed to write one. */
  get problem(): unknown {
    return this.#problem;
  }

  get tried(): readonly TriedPatch[] {
    return this.#tried;
  }

  /** Whether the origin of the failure was seen. */
  get isProven(): boolean {
    return this.report?.candidates[0]?.seen === "confirmed";
  }

  /** Adds what a watched run showed. These return false when no report came of it. */
  async watched(run: WatchedRun, loaded: readonly string[]): Promise<boolean> {
    this.#runs.push(run);
    this.#seenIn = seenFiles(run, this.report?.watch_for ?? []);
    this.#loaded = loaded;
    return this.#withFiles();
  }

  /** Adds what a patch did. */
  triedPatch(tried: TriedPatch): Promise<boolean> {
    this.#tried.push(tried);
    return this.#again();
  }

  /** Adds the commit with which it began. */
  since(commit: FirstFailingCommit): Promise<boolean> {
    this.#since = commit;
    return this.#again();
  }

  /** Adds the change without which the command passes, and sends the files that it touched. */
  async without(undone: UndoneChange, files: readonly string[]): Promise<boolean> {
    this.#undone = undone;
    this.#undoneFiles = files;
    return this.#withFiles();
  }

  async #withFiles(): Promise<boolean> {
    const named = [...new Set([...this.#undoneFiles, ...this.#seenIn])];
    this.#files = await this.#ports.filesFor(this.#errorText, named, this.#loaded);
    return this.#again();
  }

  async #again(): Promise<boolean> {
    const observed: Observed = {
      runs: this.#runs,
      ...(this.#tried.length > 0 && { tried: this.#tried }),
      ...(this.#since && { since: this.#since }),
      ...(this.#undone && { undone: this.#undone }),
    };
    try {
      const next = await analyzed(this.#errorText, this.#files, observed, this.#ports);
      if (!next.report) return false;
      this.#incident = next;
      return true;
    } catch (error) {
      this.#ports.signal.throwIfAborted();
      this.#problem = error;
      return false;
    }
  }
}

async function analyzed<Analyzed extends Reported>(
  errorText: string,
  files: readonly FileContent[],
  observed: Observed,
  { agent, finished, signal }: ExplanationPorts<Analyzed>,
): Promise<Analyzed> {
  const request = { error_log: errorText, ...(files.length > 0 && { files: [...files] }), observed };
  return finished((await agent.analyze(request, signal)).incident_id);
}
