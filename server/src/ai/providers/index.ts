import type { AiSettings } from '#store/settings'
import { openai } from './openai.ts'
import type { Provider } from './provider.ts'
import { reference } from './reference.ts'

/** The provider: the configured model, or else the reference data. */
export const providerOf = ({ baseUrl, model, apiKey }: AiSettings): Provider =>
  baseUrl && model ? openai({ baseUrl, model, apiKey }) : reference
