import { createService } from './service.mjs';

const service = await createService({ database: ':memory:', workers: 2 });
const post = (path, body) => fetch(service.url + path, { method: 'POST', body }).then((response) => response.json());
const get = (path) => fetch(service.url + path).then((response) => response.json());

const contacts = 'name;mail;born;balance\nAda Byron;ADA@example.org;10.12.1815;1.250,50\nBo;bo@example.org;01.02.1990;-3,00\nbroken line\n';
const parts = JSON.stringify([{ sku: 'A-1', stock: 5, price: { net: 12.5, currency: 'EUR' } }, { sku: 'B-2', stock: '7', price: { net: 3, currency: 'USD' } }]);
const { job: first } = await post('/import?kind=contacts', contacts);
const { job: second } = await post('/import?kind=parts', parts);
await service.idle();
await get(`/jobs/${first}`);
await get(`/jobs/${second}`);
const again = await post('/import?kind=contacts', contacts.replace('1.250,50', '99,00'));
await service.idle();
await get(`/jobs/${again.job}`);
await get('/contacts?sort=balance');
await get('/parts/A-1');
await get('/summary');
service.stop();
