import { type DestinationStream, type Logger, pino } from 'pino'

/**
 * What is never logged, whoever logs it. At level `trace`, the parser of uploads logs the headers of a request, which
 * have the token, and may have cookies of another site under the same name.
 */
const SECRETS = ['*.headers', '*.password', '*.token']

/** Writes the log, one JSON line per event, without secrets. */
export const openLog = (level: string, output: DestinationStream): Logger => pino({ level, redact: SECRETS }, output)
