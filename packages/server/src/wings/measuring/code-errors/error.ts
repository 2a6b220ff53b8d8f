import { hash } from 'node:crypto'

/** Who sends errors needs no account: these limits bound what they leave in the database. */
export const maxErrorsPerExperiment = 200
export const maxVisitorsPerError = 5_000
/** The newest events of an error. One that is sent again after so many others counts once more. */
export const maxEventsPerError = 5_000
const maxExcerptLength = 200

/** Visitors of 24 hours before an error is reported: fewer can be one odd browser. */
export const visitorsToReport = 3
const fewestToPause = 20
const shareToPause = 0.02

/** Errors with one fingerprint are the same error of the same code. */
export interface CodeError {
  envId: string
  ruleId: string
  variationId: string
  variationKey: string
  codeVersion: string
  /** Within the code, from 1; null if it is not known. */
  line: number | null
  message: string
  /** The line of the code; null if it is not known. */
  excerpt: string | null
}

/** How often an error was met since it was last written, and by whom. */
export interface ErrorNote extends CodeError {
  fingerprint: string
  /** How often it was told, also by events that were sent again. */
  times: number
  /** UUIDs of the events: each counts once. */
  events: Set<string>
  /** Hashes of visitor ids. */
  visitors: Set<string>
}

/** What remains of a visitor id. */
export const hashOfUnit = (unit: string): string => hash('sha256', unit).slice(0, 32)

/** Messages can name an order or a time, so their digits do not count. */
export const fingerprintOf = ({ variationId, codeVersion, line, message }: CodeError): string =>
  hash('sha256', JSON.stringify([variationId, codeVersion, line, message.replaceAll(/\d+/g, '0')])).slice(0, 32)

/** The line of a code, for people. */
export function excerptOf(code: string, line: number | null): string | null {
  if (line === null) return null
  const text = code.split(/\r\n|[\n\r\u2028\u2029]/)[line - 1]
  return text === undefined ? null : text.trim().slice(0, maxExcerptLength).toWellFormed()
}

/**
 * Whether so many visitors have met an error that it pauses the experiment. The list of an error has an end: when it is
 * full, nobody knows how many there are, and they are enough.
 *
 * @param units visitors of the variation in the last snapshot; undefined before there is one
 */
export const pausesFor = (visitors: number, units: number | undefined): boolean =>
  units !== undefined &&
  visitors >= fewestToPause &&
  (visitors >= units * shareToPause || visitors >= maxVisitorsPerError)
