interface Loading {
  /** Where assets are kept. */
  files: string
  say: (line: string) => void
  signal: AbortSignal
}

export async function loadSample({ say }: Loading): Promise<void> {
  say('…')
}
