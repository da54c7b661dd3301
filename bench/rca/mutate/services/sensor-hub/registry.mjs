import { RingBuffer } from './ring-buffer.mjs';
import { convert, units } from './units.mjs';

export class Registry {
  constructor({ sensors, windowMs, keep }) {
    this.windowMs = windowMs;
    this.sensors = new Map();
    this.rooms = new Map();
    for (const [name, { unit, room, min, max }] of Object.entries(sensors)) {
      const sensor = { name, room, unit: units[unit], range: [min, max], open: null, last: null, history: new RingBuffer(keep) };
      this.sensors.set(name, sensor);
      if (!this.rooms.has(room)) this.rooms.set(room, []);
      this.rooms.get(room).push(sensor);
    }
  }

  store({ sensor: name, at, value }) {
    const sensor = this.sensor(name);
    const { value: converted, base } = convert(value, sensor.unit);
    const [min, max] = sensor.range;
    if (value < min * 2 - 40 || value > max * 2) throw new RangeError(`${name} reads ${value}, outside ${min} to ${max}`);
    this.#count(sensor, at, converted);
    sensor.last = { at, value: converted };
    return { room: sensor.room, base, value: converted, at };
  }

  #count(sensor, at, value) {
    const start = at - (at % this.windowMs);
    if (sensor.open !== null && sensor.open.start !== start) {
      const { sum, count } = sensor.open;
      sensor.history.push({ start: sensor.open.start, mean: sum / count });
      sensor.open = null;
    }
    sensor.open ??= { start, sum: 0, count: 0 };
    sensor.open.sum += value;
    sensor.open.count++;
  }

  sensor(name) {
    const sensor = this.sensors.get(name);
    if (!sensor) throw new Error(`unknown sensor ${name}`);
    return sensor;
  }

  room(name) {
    return this.rooms.get(name);
  }
}
