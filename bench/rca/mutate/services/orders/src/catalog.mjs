const products = new Map(
  [
    { sku: 'mug', title: 'Mug', cents: 1250, stock: 8 },
    { sku: 'lamp', title: 'Desk lamp', cents: 4900, stock: 3 },
    { sku: 'desk', title: 'Desk', cents: 24900, stock: 1 },
  ].map((product) => [product.sku, product]),
);

export function findProduct(sku) {
  const product = products.get(sku);
  if (!product) throw new Error(`no product ${sku}`);
  return product;
}
