import { renderItems, renderTexts, renderWork } from '../referenceAnswers.ts'
import type { Provider, Task } from './provider.ts'

/** Chunk size in characters, so that readers see the answer arrive as they would from a model. */
const CHUNK_CHARS = 160

/** Answers only from open reference data and this catalogue, without a model; says so if they know nothing. */
export const reference: Provider = {
  kind: 'reference',
  name: 'Reference data',
  promptOf: () => '',
  costOf: () => 0,
  answer: async function* (task, _signal, onUsage): AsyncGenerator<string, void> {
    const text = textOf(task)
    for (let at = 0; at < text.length;) {
      const line = text.indexOf('\n', at + CHUNK_CHARS)
      const end = line < 0 ? text.length : line + 1
      yield text.slice(at, end)
      at = end
    }
    onUsage?.({ inputTokens: 0, outputTokens: 0 })
  },
}

function textOf(task: Task): string {
  switch (task.call) {
    case 'media':
      return renderWork(task.topic, task.merged, [])
    case 'search':
      return renderWork(task.topic, task.merged, task.failures)
    case 'enhance':
      return renderTexts(task.texts, task.known)
    case 'standardize':
      return renderItems(task.items)
    // Its answers need no repair, and it has no connection to test.
    case 'repair':
    case 'test':
      return ''
  }
}
