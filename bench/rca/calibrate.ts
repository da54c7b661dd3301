import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedServer } from "../child-server.ts";
import { table } from "../table.ts";
import { ask } from "./ask.ts";
import { developmentCases, installedCases, type RcaCase, rcabenchFolder } from "./cases.ts";
import { fitLogistic, probability, type Sample } from "./logistic.ts";
import { ownCases } from "./own-case.ts";
import { calibrationOf, scoreCase } from "./score.ts";

/**
 * Fits the weights of the confidence to every investigation of known outcome, and tells how well they hold on each case
 * when it is left out of the fit. An engine looks better on what it was tuned on than on what comes: cases that are held
 * out of the tuning are therefore part of the fit, and shown apart.
 */
const penalties = [0.3, 1, 2, 4];
const leadMax = 0.4;
/** No report is surer. */
const confidenceMax = 0.9;

const folder = rcabenchFolder();
const development = folder === undefined ? [] : developmentCases(folder);
const own = [...ownCases(), ...(folder === undefined ? [] : installedCases(folder))];
const directory = mkdtempSync(join(tmpdir(), "whence-rca-calibrate-"));
const server = await startEmbeddedServer(directory, { WHENCE_ANALYZE_PER_MINUTE: "1000000" });
try {
  const groups: readonly (readonly [string, readonly Sample[]])[] = [
    ["development half", await samplesOf(development)],
    ["error text alone", await samplesOf(development.map((rca) => ({ ...rca, files: [] })))],
    ["own, tuned on", await samplesOf(own.filter(({ heldOut }) => !heldOut))],
    ["own, held out", await samplesOf(own.filter(({ heldOut }) => heldOut))],
  ];
  const all = groups.flatMap(([, samples]) => samples);
  const rows = penalties.map((penalty) => {
    const weights = fitLogistic(all, penalty).map((weight) => weight.toFixed(2));
    return [
      String(penalty),
      weights.join("  "),
      says(all, all, penalty),
      ...groups.map(([, one]) => says(one, all, penalty)),
    ];
  });
  const headings = ["penalty", "intercept score lead code", "all: Brier, ECE", ...groups.map(([name]) => name)];
  console.log(`${all.length} investigations, each judged by a fit without its case\n${table(headings, rows)}`);
} finally {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
}

/** Brier score and calibration error of some samples, each by the fit to the samples of the other cases. */
function says(samples: readonly Sample[], all: readonly Sample[], penalty: number): string {
  const sure = samples.map(({ id, features, right }) => {
    const others = all.filter((other) => other.id !== id);
    return { confidence: Math.min(confidenceMax, probability(fitLogistic(others, penalty), features)), right };
  });
  const { brier, error } = calibrationOf(sure);
  return `${brier.toFixed(3)}  ${error.toFixed(3)}`;
}

async function samplesOf(cases: readonly RcaCase[]): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const rca of cases) {
    const prediction = await ask(server.url, rca);
    const [first] = prediction.candidates;
    if (!first?.file) continue;
    const other = prediction.candidates.find(({ file }) => file !== undefined && file !== first.file);
    const lead = Math.min(leadMax, first.score - (other?.score ?? 0));
    const isRead = rca.files.some(({ name }) => first.file?.endsWith(name));
    samples.push({
      id: rca.id,
      features: [1, first.score, lead, Number(isRead)],
      right: Number(scoreCase(rca, prediction).file1),
    });
  }
  return samples;
}
