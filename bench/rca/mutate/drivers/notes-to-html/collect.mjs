export function collect() {
  return (tree, file) => {
    const headings = [];
    const links = [];
    let words = 0;
    walk(tree, (node) => {
      if (node.type === 'heading') headings.push(plain(node));
      if (node.type === 'link') links.push(node.url);
      if (node.type === 'text') words += node.value.split(/\s+/).length;
    });
    const first = tree.children[0];
    if (first.position.start.line !== 1) throw new RangeError(`the heading is on line ${first.position.start.line}`);
    file.data = { headings, links, words };
  };
}

function walk(node, visit) {
  visit(node);
  for (const child of node.children ?? []) walk(child, visit);
}

function plain(node) {
  return node.value ?? node.children.map(plain).join('');
}
