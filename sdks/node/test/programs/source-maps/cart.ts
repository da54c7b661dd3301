/** What an order holds. */
interface Order {
  readonly id: number;
  readonly items: readonly { readonly price: number }[] | null;
}

type Money = number;

export function totalOf(order: Order): Money {
  const items = order.items as NonNullable<Order["items"]>;
  return items.map((item) => item.price).reduce((sum, price) => sum + price, 0);
}
