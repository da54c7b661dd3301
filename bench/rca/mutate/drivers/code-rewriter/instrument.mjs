import { parse, tokenizer } from 'acorn';
import { ancestor, base, simple } from 'acorn-walk';
import MagicString from 'magic-string';
import { SourceMapConsumer } from 'source-map-js';

const options = { ecmaVersion: 2022, sourceType: 'module', locations: true };

export function instrument(source) {
  const tree = parse(source, options);
  const text = new MagicString(source);
  const names = [];
  ancestor(tree, {
    Function(node, _, ancestors) {
      const holder = ancestors.at(-2);
      const name = node.id?.name ?? holder.key?.name ?? 'anonymous';
      names.push(name);
      text.appendLeft(node.body.start + 1, ` enter(${JSON.stringify(name)});`);
    },
  });
  simple(tree, { Literal: (node) => node.raw === 'null' && text.overwrite(node.start, node.end, 'undefined') }, base);
  text.prepend('const enter = () => {};\n').indent('  ').trimLines();
  const consumer = new SourceMapConsumer(text.generateMap({ source: 'store.js', hires: true }).toString().length > 0 ? JSON.parse(text.generateMap({ source: 'store.js', hires: true }).toString()) : {});
  const count = [...tokenizer(source, options)].length;
  const map = consumer.originalPositionFor({ line: 4, column: 12 });
  if (map.line === null) throw new Error('line 4 has no origin');
  parse(text.toString(), options);
  console.log(count.toFixed(), map.source.length);
  return { code: text.toString(), names, map };
}
