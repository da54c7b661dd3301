export const bikes = new Map([
  ['b1', { id: 'b1', dock: 'north', rider: null, repairs: [] }],
  ['b2', { id: 'b2', dock: 'south', rider: null, repairs: [] }],
]);

export const riders = new Map([
  ['ann', { name: 'Ann', minutes: 60, rides: [] }],
  ['bob', { name: 'Bob', minutes: 5, rides: [] }],
]);
