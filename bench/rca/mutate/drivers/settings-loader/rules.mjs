import jmespath from 'jmespath';
import jsonLogic from 'json-logic-js';

jsonLogic.add_operation('starts', (text, start) => text.startsWith(start));
const rules = {
  busy: { and: [{ '>': [{ var: 'server.port' }, 8000] }, { '!': { missing: ['name', 'url'] } }, { in: ['a', { var: 'server.hosts' }] }] },
  local: { if: [{ starts: [{ var: 'url' }, 'http://local'] }, true, { '==': [1, '1'] }, 'maybe', false] },
  total: { '<': [{ reduce: [{ filter: [{ var: 'list' }, { '>=': [{ var: '' }, 2] }] }, { '+': [{ var: 'current' }, { var: 'accumulator' }] }, 0] }, 6] },
  some: { some: [{ map: [{ var: 'list' }, { '*': [{ var: '' }, 2] }] }, { '===': [{ var: '' }, 6] }] },
  text: { '!==': [{ cat: ['a', { substr: [{ var: 'name' }, 0, 2] }, { max: [1, 2] }] }, ''] },
};

export function decide(settings) {
  const names = Object.keys(rules).filter((name) => jsonLogic.apply(rules[name], settings));
  const uses = jsonLogic.uses_data(rules.busy);
  const query = "{hosts: server.hosts[?@ != 'x'] | [0], sum: sum(list), last: list[-1], big: max_by([{n: `1`}, {n: `3`}], &n).n, sorted: sort(server.tags)[:2], keys: keys(server.limits), joined: join('-', server.tags[*].to_string(@)), any: not_null(none, name) && length(name) > `2`, flat: [list, [list]][]}";
  const found = jmespath.search(settings, query);
  if (found.sum !== 6 || found.flat.length !== 4) throw new RangeError(`found ${JSON.stringify(found)}`);
  return [...names, uses[0], found.hosts, found.joined.split('-')[2], found.sorted[0], found.keys[0]];
}
