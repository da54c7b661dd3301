const http = require('http');
const { Index } = require('./engine');
const { Cache } = require('./cache');
const { highlight } = require('./highlight');

function start(port) {
  const index = new Index();
  const cache = new Cache(20);

  function search(query) {
    const text = query.get('q');
    const limit = Number(query.get('limit') || 10);
    return cache.through(query.toString(), () => {
      const hits = index.search(text, { tag: query.get('tag') }).slice(0, limit);
      return hits.map(({ document, score, terms }) => ({
        id: document.id,
        title: highlight(document.title, terms),
        score: Number(score.toFixed(3)),
      }));
    });
  }

  function route(request, url, body) {
    const [, first, id, last] = url.pathname.split('/');
    if (first === 'documents' && request.method === 'PUT') {
      cache.clear();
      return Promise.resolve(index.add(JSON.parse(body)));
    }
    if (first === 'documents' && last === 'similar') return Promise.resolve(index.similar(id));
    if (first === 'search') return search(url.searchParams);
    if (first === 'suggest') return Promise.resolve(index.suggest(url.searchParams.get('prefix')));
    if (first === 'facets') return Promise.resolve(index.facets());
    return Promise.reject(new Error('no route ' + url.pathname));
  }

  const server = http.createServer((request, response) => {
    const url = new URL(request.url, 'http://search');
    let body = '';
    request.on('data', (chunk) => (body += chunk)).on('end', () => {
      Promise.resolve()
        .then(() => route(request, url, body))
        .then((answer) => response.end(JSON.stringify(answer)))
        .catch((error) => {
          console.error(new Date(0).toISOString(), 'ERROR', request.method, request.url, error.stack);
          response.statusCode = 500;
          response.end();
        });
    });
  });
  return new Promise((resolve) => {
    server.listen(port, '127.0.0.1', () => resolve({ port: server.address().port, stop: () => server.close() }));
  });
}

module.exports = { start };
