import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

/** The longest time of the processor without a turn for others, as a share of all of it. */
export async function longestShare(work: () => Promise<unknown>): Promise<number> {
  const cpuMicros = () => process.cpuUsage().user + process.cpuUsage().system
  const began = cpuMicros()
  let [last, longest, isOver] = [began, 0, false]
  const count = () => {
    longest = Math.max(longest, cpuMicros() - last)
    last = cpuMicros()
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await work()
  await yieldToEventLoop()
  isOver = true
  return longest / (cpuMicros() - began)
}
