// Loaded before the server (node --import) where a test of the browser has pictures found by a stand-in on loopback,
// which the server would otherwise refuse to ask.
import { standIns } from '../src/ai/sources/outside.ts'

for (const host of (process.env.STAND_INS ?? '').split(',')) standIns.add(host)
