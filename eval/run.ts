// `npm run eval -- [--size 60] [--bare]`: evaluates the AI provider, and prints a table. The provider is the model of
// AI_BASE_URL and AI_MODEL, or else the reference data. `--bare` gives the model no references, to test its own
// knowledge.
import { parseArgs } from 'node:util'
import { openai } from '../server/src/ai/providers/openai.ts'
import { reference } from '../server/src/ai/providers/reference.ts'
import { readEnv } from '../server/src/env.ts'
import { score, tableOf } from './score.ts'

const { values } = parseArgs({
  options: { size: { type: 'string', default: '60' }, bare: { type: 'boolean', default: false } },
})
const { AI_BASE_URL: baseUrl, AI_MODEL: model, AI_API_KEY: apiKey = '' } = readEnv()
const provider = baseUrl && model ? openai({ baseUrl, model, apiKey }) : reference

const result = await score(provider, {
  size: Number(values.size),
  isBare: values.bare,
  onAnswer: (done, of) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${of} ${done === of ? '\n' : ''}`)
  },
})
process.stdout.write(`${tableOf(`${provider.name}${values.bare ? ', without references' : ''}`, result)}\n`)
if (result.failed > 0) process.exitCode = 1
