import type { Answer, Effort } from "../answer.ts";
import { Answering } from "../answering-process.ts";
import { arms } from "../environment.ts";
import { load } from "../load.ts";
import { kinds, ServedApp } from "../served-app.ts";

/** A port of this machine that nothing listens on. */
const nowhere = "http://127.0.0.1:9";
const warmUpRequests = 200;
const grownMaxBytes = 10_000_000;

/** Measures what memory a server gains while its application logs errors and the clients' backend is down. */
export async function deadBackend({ errors, folder }: Effort): Promise<Answer> {
  await using answering = await Answering.start();
  const rows: string[][] = [];
  for (const kind of kinds) {
    let ofNone = 0;
    for (const arm of arms) {
      await using app = await ServedApp.start({ arm, kind, backend: nowhere, upstream: answering.url, folder });
      await load(`${app.url}/plain`, { requests: warmUpRequests });
      const before = app.residentBytes();
      const { p99Ms } = await load(`${app.url}/error`, { requests: errors });
      const grown = app.residentBytes() - before;
      if (arm === "none") ofNone = grown;
      if (arm === "whence" && grown - ofNone > grownMaxBytes) process.exitCode = 1;
      rows.push([kind === "wsgi" ? "Flask, gunicorn" : "FastAPI, uvicorn", arm, megabytes(grown), p99Ms.toFixed(1)]);
    }
  }
  return {
    title: `While the backend is down: ${errors} logged errors with 10 frames; whence may take 10 MB more than none`,
    headings: ["", "client", "memory gained (MB)", "p99 (ms)"],
    rows,
  };
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
