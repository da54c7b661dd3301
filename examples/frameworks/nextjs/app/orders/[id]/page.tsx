import type { ReactNode } from "react";

export default async function OrderPage({ params }: { params: Promise<{ id: string }> }): Promise<ReactNode> {
  const { id } = await params;
  throw new Error(`no order ${id}`);
}
