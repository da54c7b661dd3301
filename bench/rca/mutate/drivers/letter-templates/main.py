from letters import ORDERS, render_all

for order in ORDERS:
    for name, text in render_all(order).items():
        lines = [line for line in text.splitlines() if line.strip()]
        total = [line for line in lines if line.startswith("Total")][0].split(":")[1]
        if float(total) != order["total"]:
            raise ValueError(f"{name} wrote {total} for {order['customer']['name']}")
        print(name, lines[0].upper(), len(lines))
