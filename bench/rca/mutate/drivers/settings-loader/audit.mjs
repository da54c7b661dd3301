import diff from 'deep-diff';
import patch from 'fast-json-patch';

export function audit(before, after) {
  const changes = diff.diff(before, after, (path, key) => key === 'rest').map((change) => `${change.kind}:${change.path.join('.')} ${JSON.stringify(change.item ?? change)}`);
  const operations = patch.compare(before, after, true);
  const applied = patch.applyPatch(structuredClone(before), operations, true).newDocument;
  const observed = patch.deepClone(before);
  const observer = patch.observe(observed);
  observed.server.hosts.push('d');
  delete observed.list;
  const seen = patch.generate(observer);
  if (seen.length !== 2) throw new Error(`saw ${seen.map(({ op }) => op)}`);
  const undone = patch.deepClone(applied);
  diff.observableDiff(undone, before, (change) => diff.applyChange(undone, before, change));
  const target = { a: [1, 2, 3] };
  diff.revertChange(target, { a: [1, 2] }, diff.diff({ a: [1, 2] }, target)[0]);
  const error = patch.validate([{ op: 'replace', path: '/no/such', value: 1 }], before);
  if (error.name !== 'OPERATION_PATH_UNRESOLVABLE') throw error;
  return { changes, undone, value: patch.getValueByPointer(applied, '/server/hosts/1').trim() };
}
