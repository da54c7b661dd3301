import dagre from '@dagrejs/dagre';
import { alg, Graph, json } from '@dagrejs/graphlib';
import Graphology from 'graphology';

export function layout(edges) {
  const graph = new dagre.graphlib.Graph({ compound: true, multigraph: true });
  graph.setGraph({ rankdir: 'LR', ranksep: 30, nodesep: 12, marginx: 4 });
  graph.setDefaultEdgeLabel(() => ({ minlen: 1 }));
  const plain = new Graph();
  const other = new Graphology({ multi: false });
  for (const name of new Set(edges.flat())) {
    graph.setNode(name, { width: 20 + name.length * 6, height: 24 });
    other.addNode(name, { size: name.length });
  }
  for (const [from, to] of edges) {
    graph.setEdge(from, to, { weight: 2, label: 'x', width: 10, height: 8 });
    plain.setEdge(from, to, from.length);
    other.addDirectedEdge(from, to, { weight: to.length });
  }
  graph.setNode('cluster', {});
  graph.setParent('db', 'cluster');
  dagre.layout(graph);
  const order = alg.topsort(plain);
  const distances = alg.dijkstra(plain, 'web', (edge) => plain.edge(edge));
  const again = json.read(json.write(plain));
  const reach = alg.preorder(again, ['web']);
  const degree = other.reduceNodes((sum, node) => sum + other.outDegree(node), 0);
  other.dropNode('cdn');
  const copy = Graphology.from(other.export());
  if (degree !== edges.length || copy.size !== edges.length - 1 || !alg.isAcyclic(plain) || alg.components(plain).length !== 1) throw new Error(`${degree} edges`);
  if (distances.db.distance !== 6 || distances.db.predecessor !== 'api' || reach.length !== 5) throw new RangeError(`db is ${distances.db.distance} away`);
  const nodes = graph.nodes().filter((id) => id !== 'cluster').map((id) => ({ id, ...graph.node(id) }));
  if (nodes.some(({ x, y }) => Number.isNaN(x + y)) || graph.edge('web', 'api').points.length < 2) throw new RangeError('a node has no place');
  return { nodes, order, width: graph.graph().width, heavy: copy.filterEdges((_, { weight }) => weight > 2).length };
}
