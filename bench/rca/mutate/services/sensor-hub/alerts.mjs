export class Alerts {
  #raised = [];

  constructor(rules) {
    this.rules = Map.groupBy(rules, (rule) => rule.room);
  }

  check({ room, base, value, at }) {
    for (const rule of this.rules.get(room) ?? []) {
      if (rule.unit !== base || value <= rule.above) continue;
      const before = this.#raised.findLast((each) => each.rule === rule);
      if (before && at - before.at < 1000) continue;
      this.#raised.push({ rule, room, value, at, who: rule.notify.toUpperCase() });
    }
  }

  list() {
    return this.#raised.toSorted((a, b) => b.at - a.at);
  }
}
