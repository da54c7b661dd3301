import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type CorpusCase, readCorpus } from "../bench/rca/corpora/corpus-case.ts";
import { isReserved } from "../bench/rca/corpora/reserved.ts";

const bench = join(import.meta.dirname, "../bench/rca");
const cases = readCorpus(join(bench, "corpora"));
const packages = z
  .record(z.string(), z.array(z.string()))
  .parse(JSON.parse(readFileSync(join(bench, "mine/packages.json"), "utf8")));

type Source = CorpusCase["sources"][number];

const holds = ({ folder }: Source, file: string): boolean => !relative(folder, file).startsWith("..");

/** Returns the packages that a case measures: the mined one, and the one with the mistake. */
function packagesOf({ kind, sources, truth }: CorpusCase): string[] {
  const [culprit] = sources
    .filter((source) => holds(source, truth.file))
    .toSorted((one, other) => other.folder.length - one.folder.length);
  const measured = kind === "package" ? [sources[0], culprit] : [culprit];
  return measured.flatMap((source) => source?.from.replace(/(?<=.)@.*$/, "") ?? []);
}

describe("a case of the corpora", () => {
  it("has a unique id", () => {
    const ids = cases.map(({ corpus, id }) => `${corpus} ${id}`);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it("attaches the file with the mistake", () => {
    const without = cases.filter(({ files, truth }) => !files.includes(truth.file));
    expect(without.map(({ id }) => id)).toEqual([]);
  });

  it("unpacks every file that it attaches", () => {
    const unknown = cases.flatMap(({ id, files, sources }) =>
      files.filter((file) => !sources.some((source) => holds(source, file))).map((file) => `${id}: ${file}`),
    );
    expect(unknown).toEqual([]);
  });

  it("says that the mistake is in the stack exactly when the log names its file", () => {
    const wrong = cases.filter(({ truth, log }) => truth.on_stack && !log.includes(truth.file));
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  it("is one of at most 12 mined from a package, and of at most 3 from a release", () => {
    const releases = cases
      .filter(({ corpus }) => corpus === "mined")
      .map(({ language, sources }) => `${language} ${sources[0]?.from}`);
    const packageOf = (from: string): string => from.replace(/(?<=.)@.*$/, "");
    const many = (names: readonly string[], max: number): string[] =>
      [...Map.groupBy(names, (name) => name)].filter(([, all]) => all.length > max).map(([name]) => name);
    expect([...many(releases, 3), ...many(releases.map(packageOf), 12)]).toEqual([]);
  });

  it("comes from no package reserved for measuring", () => {
    const reserved = cases.filter(
      (one) => isReserved("", one.group) || packagesOf(one).some((name) => isReserved(name)),
    );
    expect(reserved.map(({ id }) => id)).toEqual([]);
  });

  it("names no folder of the machine that recorded it", () => {
    const places = cases.filter(({ log }) => /(?<![\w.-])\/(home|root|work|tmp\/(whence|mine))\b/.test(log));
    expect(places.map(({ id }) => id)).toEqual([]);
  });
});

describe("the list of packages to mine", () => {
  it("contains no package reserved for measuring", () => {
    expect(
      Object.values(packages)
        .flat()
        .filter((name) => isReserved(name)),
    ).toEqual([]);
  });

  it("contains each package once per language", () => {
    const repeated = Object.values(packages).map((names) =>
      names.filter((name, index) => names.indexOf(name) !== index),
    );
    expect(repeated.flat()).toEqual([]);
  });
});
