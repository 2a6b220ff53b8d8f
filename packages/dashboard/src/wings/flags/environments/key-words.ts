import type { Data } from '@svc/client'

type Use = Data<'/api/v1/projects/{projectId}/environments/{envId}/sdk-keys', 'get'>[number]['uses'][number]

const words: Record<Use['use'], string> = {
  DATA_FILE: 'data file',
  STREAM: 'stream',
  EVALUATION: 'OFREP',
  EVENTS: 'events',
  HEARTBEAT: 'heartbeats',
}

const shownLength = 12

/** Enough of an SDK key to recognize it. */
export const hintOf = (sdkKey: string): string => `${sdkKey.slice(0, shownLength)}…`

/** What a key was used for: "heartbeats, data file". */
export const usesInWords = (uses: readonly Use[]): string => uses.map(({ use }) => words[use]).join(', ')
