// The worker thread that derives Japanese readings. Its dictionary takes about 140 MB and a second to load.
import { parentPort } from 'node:worker_threads'
import { TokenizerBuilder } from 'lindera-wasm-nodejs-ipadic'
import type { Reading } from './readings.ts'

/** A token from the dictionary; `*` for unknown values. Readings are in katakana. */
interface Token {
  surface: string
  partOfSpeech: string
  reading?: string
  pronunciation?: string
}

const builder = new TokenizerBuilder()
builder.setDictionary('embedded://ipadic')
builder.setMode('normal')
const tokenizer = builder.build()

/** Particles: は and へ are pronounced differently as such. */
const PARTICLE = '助詞'

const known = (reading: string | undefined): string | undefined => (reading === '*' ? undefined : reading)

function read(text: string): Reading {
  const tokens = tokenizer.tokenize(text) as Token[]
  const written = tokens.map(({ surface, reading }) => known(reading) ?? surface)
  const spoken = tokens.map(({ surface, partOfSpeech, reading, pronunciation }) => {
    const said = partOfSpeech === PARTICLE ? known(pronunciation) : undefined
    return said ?? known(reading) ?? surface
  })
  return { written: written.join(' '), spoken: spoken.join(' ') }
}

// The dictionary is loaded.
parentPort?.postMessage({ id: 0, readings: [] }, [])
parentPort?.on('message', ({ id, texts }: { id: number; texts: string[] }) => {
  parentPort?.postMessage({ id, readings: texts.map(read) }, [])
})
