// Loaded into the server before anything else: shifts its clock by the number of milliseconds in a file. Timers
// continue normally, as they do when a machine's clock is changed.
import { readFileSync } from 'node:fs'

const file = process.env.CLOCK_FILE ?? ''
const Real = Date
let [offset, read] = [0, -Infinity]

function now(): number {
  if (performance.now() - read > 5) {
    offset = Number(readFileSync(file, 'utf8'))
    read = performance.now()
  }
  return Real.now() + offset
}

globalThis.Date = new Proxy(Real, {
  construct: (target, given, made) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, made) as InstanceType<DateConstructor>,
  get: (target, name, receiver) => (name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown)),
})
