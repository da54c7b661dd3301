import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedServer } from "../child-server.ts";
import { table } from "../table.ts";
import { ask } from "./ask.ts";
import { developmentCases, type RcaCase, rcabenchFolder } from "./cases.ts";
import { fitLogistic, probability, type Sample } from "./logistic.ts";
import { ownCases } from "./own-case.ts";
import { calibrationOf, scoreCase } from "./score.ts";

/**
 * Fits the weights of the confidence to the cases that the engine was tuned on, with their files and without, and tells
 * how well they hold: on each case when it is left out of the fit, and on the cases that are held out.
 */
const penalties = [0.3, 1, 2, 4];
const leadMax = 0.4;

const folder = rcabenchFolder();
const development = folder === undefined ? [] : developmentCases(folder);
const own = ownCases();
const directory = mkdtempSync(join(tmpdir(), "whence-rca-calibrate-"));
const server = await startEmbeddedServer(directory, { WHENCE_ANALYZE_PER_MINUTE: "1000000" });
try {
  const tuned = [
    ...(await samplesOf(development)),
    ...(await samplesOf(development.map((rca) => ({ ...rca, files: [] })))),
    ...(await samplesOf(own.filter(({ heldOut }) => !heldOut))),
  ];
  const heldOut = await samplesOf(own.filter((rca) => rca.heldOut));
  const rows = penalties.map((penalty) => {
    const weights = fitLogistic(tuned, penalty);
    const left = tuned.map((sample) => {
      const others = tuned.filter(({ id }) => id !== sample.id);
      return { confidence: probability(fitLogistic(others, penalty), sample.features), right: sample.right };
    });
    const apart = heldOut.map(({ features, right }) => ({ confidence: probability(weights, features), right }));
    return [String(penalty), weights.map((weight) => weight.toFixed(2)).join("  "), ...says(left), ...says(apart)];
  });
  const headings = ["penalty", "intercept score lead code", "Brier left out", "ECE", "Brier held out", "ECE"];
  console.log(`${tuned.length} investigations\n${table(headings, rows)}`);
} finally {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
}

function says(sure: readonly { confidence: number; right: number }[]): string[] {
  const { brier, error } = calibrationOf(sure);
  return [brier.toFixed(3), error.toFixed(3)];
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
