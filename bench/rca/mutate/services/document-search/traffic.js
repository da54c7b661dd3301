const { start } = require('./server');

const documents = [
  { id: 'a', title: 'Growing tomatoes', body: 'Tomatoes need sun, water and patience.', tags: ['garden'], year: 2021 },
  { id: 'b', title: 'Water in the city', body: 'How a city cleans its water, and what it costs.', tags: ['city', 'water'], year: 2023 },
  { id: 'c', title: 'Patience', body: 'A short essay.', tags: [], year: 2019 },
];

start(0)
  .then(async ({ port, stop }) => {
    const get = (path) => fetch(`http://127.0.0.1:${port}${path}`).then((response) => response.text());
    const put = (document) => fetch(`http://127.0.0.1:${port}/documents/${document.id}`, { method: 'PUT', body: JSON.stringify(document) });
    for (const document of documents) await put(document);
    await get('/search?q=water');
    await get('/search?q=Tomatoes%20patience&limit=1');
    await get('/search?q=water&tag=city');
    await get('/search?q=water');
    await get('/suggest?prefix=wa');
    await get('/facets');
    await put({ ...documents[2], body: 'A short essay on waiting.' });
    await get('/search?q=waiting');
    await get('/documents/b/similar');
    stop();
  })
  .catch((error) => {
    console.error(error);
    process.exit(1);
  });
