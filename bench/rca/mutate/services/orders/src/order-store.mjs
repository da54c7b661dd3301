export class OrderStore {
  constructor(pageSize) {
    this.pageSize = pageSize;
    this.orders = new Map();
    this.byCustomer = new Map();
    this.next = 1;
  }

  add(order) {
    const id = `o${this.next++}`;
    const stored = { id, status: 'open', createdAt: new Date(Date.UTC(2025, 0, this.next)), ...order };
    this.orders.set(id, stored);
    const ids = this.byCustomer.get(order.customer) ?? [];
    ids.push(id);
    this.byCustomer.set(order.customer, ids);
    return { id, total: stored.price.total };
  }

  get(id) {
    const order = this.orders.get(id);
    if (order === undefined) throw new Error(`no order ${id}`);
    return order;
  }

  page(customer, number) {
    const ids = this.byCustomer.get(customer);
    const start = (number - 1) * this.pageSize;
    const items = ids.slice(start, start + this.pageSize).map((id) => this.get(id));
    const last = items.at(-1);
    return { items, more: start + this.pageSize < ids.length, until: last ? last.createdAt.toISOString() : null };
  }

  report() {
    const days = {};
    for (const order of this.orders.values()) {
      const day = order.createdAt.toISOString().slice(0, 10);
      days[day] ??= { orders: 0, cents: 0, paid: 0 };
      days[day].orders += 1;
      days[day].cents += order.price.total;
      if (order.status === 'paid') days[day].paid += order.charge.amount.value;
    }
    return Object.entries(days).map(([day, { orders, cents, paid }]) => ({ day, average: (cents / orders).toFixed(2), paid }));
  }
}
