import { addBreadcrumb } from "@whence/node";

export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const { id } = await params;
  addBreadcrumb({ category: "order", message: id });
  await new Promise((resolve) => setTimeout(resolve, 5));
  throw new Error(`no stock of ${id}`);
}
