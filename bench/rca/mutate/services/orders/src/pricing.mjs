import { findProduct } from './catalog.mjs';

export class Pricing {
  #shipping;
  #discounts;

  constructor({ shipping, discounts }) {
    this.#shipping = shipping;
    this.#discounts = new Map(discounts.map(({ code, percent }) => [code, percent]));
  }

  priceOf({ lines, country, code }) {
    const net = lines.reduce((sum, line) => sum + this.#lineTotal(line), 0);
    const discount = code ? this.#discountOf(net, code) : 0;
    const shipping = this.#shippingTo(country, net - discount);
    const total = net - discount + shipping;
    if (!Number.isInteger(total)) throw new RangeError(`a total of ${total} cents`);
    return { net, discount, shipping, total };
  }

  #lineTotal({ sku, count }) {
    const product = findProduct(sku);
    if (count > product.stock) throw new Error(`${sku}: ${product.stock} left, ${count} ordered`);
    product.stock -= count;
    return product.cents * count;
  }

  #discountOf(net, code) {
    const percent = this.#discounts.get(code);
    if (percent === undefined) throw new Error(`unknown code ${code}`);
    return Math.round((net * percent) / 100);
  }

  #shippingTo(country, total) {
    if (total >= this.#shipping.freeFrom) return 0;
    const cents = this.#shipping.zones[country];
    if (cents === undefined) throw new Error(`no shipping to ${country}`);
    return cents;
  }
}
