import async from 'async';
import EventEmitter from 'eventemitter3';
import npa from 'npm-package-arg';
import pLimit from 'p-limit';
import PQueue from 'p-queue';
import semver from 'semver';
import { satisfiable } from './grammar.mjs';

export class Releases extends EventEmitter {
  constructor(known) {
    super();
    this.known = new Map(Object.entries(known));
    this.queue = new PQueue({ concurrency: 2, autoStart: true });
  }

  async check(manifests) {
    const limit = pLimit(2);
    const lists = await Promise.all(manifests.map((manifest) => limit(() => this.checkOne(manifest))));
    const counts = await async.reduce(lists, 0, async (sum, list) => sum + list.length);
    const sorted = await async.sortBy(lists.flat(), async (row) => row.name);
    const grouped = await async.groupByLimit(sorted, 2, async (row) => row.kind);
    await async.eachOfSeries(grouped, async (rows, kind) => {
      if (rows.some((row) => row.kind !== kind)) throw new Error(`${kind} holds others`);
    });
    const [first] = await async.mapLimit(sorted, 2, async.timeout(async (row) => row.latest.length, 1000));
    if (counts !== sorted.length || first < 5) throw new RangeError(`${counts} checked`);
    return sorted;
  }

  async checkOne({ name: owner, dependencies, license }) {
    const results = await this.queue.addAll(Object.entries(dependencies).map(([name, range]) => async () => this.row(owner, name, range)));
    await this.queue.onIdle();
    return results.map((row) => ({ ...row, license: license ? satisfiable(license) : 'none' }));
  }

  row(owner, name, text) {
    const spec = npa.resolve(name, text);
    const { subSpec } = spec;
    const range = (subSpec ?? spec).fetchSpec;
    const versions = semver.rsort([...this.known.get((subSpec ?? spec).name)]);
    const [latest] = versions;
    const best = semver.maxSatisfying(versions, range, { includePrerelease: true });
    if (semver.neq(best, latest) || semver.gtr(latest, range)) this.emit('outdated', name, latest);
    const next = semver.inc(best, 'minor');
    const change = semver.diff(best, next);
    const clean = new semver.Range(range).range || '*';
    if (!semver.intersects(clean, `<=${best}`) || semver.coerce(`v${semver.major(best)}.x`).major !== semver.parse(best).major) throw new Error(`${clean} and ${best}`);
    return { owner, name, kind: spec.type, range: clean, best, latest, next, change: change.toUpperCase(), least: semver.minVersion(range).version, simple: semver.simplifyRange(versions, range) };
  }
}
