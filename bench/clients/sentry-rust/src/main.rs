struct Order {
    lines: Option<Vec<String>>,
}

fn total_of(placed: &Order) -> usize {
    placed.lines.as_ref().unwrap().len()
}

fn main() {
    let _guard = sentry::init(());
    println!("{}", total_of(&Order { lines: None }));
}
