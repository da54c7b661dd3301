import escodegen from 'escodegen';
import esprima from 'esprima';
import estraverse from 'estraverse';

export function rename(source, names) {
  const tree = esprima.parseScript(source, { range: true, comment: true, loc: true });
  const depth = [];
  const changed = estraverse.replace(tree, {
    enter(node, parent) {
      depth.push(node.type);
      if (node.type !== 'Identifier' || !Object.hasOwn(names, node.name)) return undefined;
      if (parent.type === 'Property' && parent.key === node && !parent.shorthand) return undefined;
      return { ...node, name: names[node.name] };
    },
    leave() {
      depth.pop();
    },
  });
  if (depth.length !== 0) throw new Error(`left ${depth.length} nodes open: ${depth.join(' > ')}`);
  return escodegen.generate(changed, { format: { indent: { style: '  ' }, quotes: 'auto', semicolons: true } });
}
