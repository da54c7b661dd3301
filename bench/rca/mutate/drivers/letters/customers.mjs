export const customers = [
  {
    name: 'Ada <Lovelace>',
    plan: { name: 'team', seats: 4 },
    items: [
      { title: 'seat', price: 12, count: 4 },
      { title: 'storage & backup', price: 7.5, count: 2 },
    ],
    total: 63,
    since: '2021-04-09',
  },
  { name: 'Grace', plan: null, items: [{ title: 'call', price: 3, count: 1 }], total: 3, since: '2019-12-31' },
];
