import { Agent, get } from "node:http";
import { quantile } from "../quantile.ts";

const connections = 8;

/** What requests took. */
export interface Load {
  readonly requests: number;
  readonly perSecond: number;
  readonly p99Ms: number;
}

/** Requests a URL from a few connections at once, as often as it answers, for a time or up to a number of requests. */
export async function load(
  url: string,
  limit: { readonly seconds?: number; readonly requests?: number },
): Promise<Load> {
  const { seconds = Number.POSITIVE_INFINITY, requests = Number.POSITIVE_INFINITY } = limit;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const took: number[] = [];
  const begin = performance.now();
  const end = begin + seconds * 1_000;
  let begun = 0;
  const one = async (): Promise<void> => {
    while (performance.now() < end && begun < requests) {
      begun += 1;
      const at = performance.now();
      await request(url, agent);
      took.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  agent.destroy();
  const elapsedSeconds = (performance.now() - begin) / 1_000;
  return { requests: took.length, perSecond: took.length / elapsedSeconds, p99Ms: quantile(took, 0.99) };
}

function request(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => response.resume().on("end", resolve).on("error", reject)).on("error", reject);
  });
}
