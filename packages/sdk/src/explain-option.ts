import { own } from '@svc/core'

import type { ClientOptions } from './client-options.ts'
import { mostDimensions, shortestPollIntervalMs } from './client-options.ts'

const explanations: Record<keyof ClientOptions, string> = {
  sdkKey: 'must be the SDK key of an environment',
  baseUrl: 'must be the http(s) address of the service',
  pollIntervalMs: `must be >= ${shortestPollIntervalMs}`,
  requestTimeoutMs: 'must be >= 1',
  stream: 'must be a function',
  store: 'must be the result of a call, such as fileStore(folder)',
  stickyStore: 'must have the methods get and set',
  bootstrap: 'must be a data file',
  offline: 'must be a boolean',
  tracking: 'must be a boolean',
  ingestKey: 'must be an ingest key of the environment, svc_ing_…',
  dimensions: `must be at most ${mostDimensions} names of attributes`,
  fetch: 'must be a function',
  logger: 'must have the method warn',
}

/** Says what is wrong with an option. */
export function explainOption(name: string): string {
  const explanation = own<string>(explanations, name)
  return explanation ? `${name} ${explanation}` : `there is no option ${name}. Did you mean ${nearest(name)}?`
}

/** The option that shares the most pairs of letters with this name. */
function nearest(name: string): string {
  const pairs = [...name.toLowerCase()].map((letter, index, letters) => letter + letters[index + 1])
  const likeness = (known: string) => pairs.filter((pair) => known.toLowerCase().includes(pair)).length
  return Object.keys(explanations).reduce((best, known) => (likeness(known) > likeness(best) ? known : best))
}
