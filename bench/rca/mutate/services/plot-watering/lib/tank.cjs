class Tank {
  constructor(litres) {
    this.millilitres = litres * 1000;
  }

  has(litres) {
    return this.millilitres >= litres * 1000;
  }

  drain(litres) {
    const rest = this.millilitres - litres * 1000;
    if (rest < 0) throw new Error(`tank overdrawn by ${-rest} ml`);
    this.millilitres = rest;
    return rest;
  }
}
exports.Tank = Tank;
