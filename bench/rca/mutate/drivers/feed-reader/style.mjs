import { clone, find, generate, lexer, parse, walk } from 'css-tree';

export function restyle(text) {
  const tree = parse(text, { positions: true, parseCustomProperty: true, onParseError: (error) => console.log(error.formattedMessage) });
  const colors = [];
  walk(tree, {
    visit: 'Declaration',
    enter(node, item, list) {
      const { matched, error } = lexer.matchProperty(node.property, node.value);
      if (error && !node.property.startsWith('--')) throw error;
      if (matched && node.property === 'color') colors.push(generate(node.value).toLowerCase());
      if (node.property === 'background') list.remove(item);
    },
  });
  const copy = clone(tree);
  const selector = find(copy, (node) => node.type === 'AttributeSelector');
  if (selector.loc.start.column < 20 || generate(copy) !== generate(tree)) throw new Error(`the copy is ${generate(copy)}`);
  return { colors, css: generate(tree, { sourceMap: true }).css };
}
