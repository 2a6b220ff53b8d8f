import type { StatusValue } from '../../../ui/status/status-words.ts'
import { shareInWords } from '../models/model-words.ts'
import type { Dataset, Version } from './dataset.ts'

export const kinds: Record<Dataset['kind'], string> = {
  INTERACTIONS: 'What visitors did with products',
  NEIGHBOURS: 'Pairs of products that you have trained elsewhere',
}

/** How a version is derived without a schedule. */
export const byHand = 'Someone asks for it: here, by the API, or with svc dataset refresh.'

const checks: Record<string, string> = {
  ROW_DROP: 'Rows that are gone',
  UNKNOWN_PRODUCTS: 'Rows of products that the catalog does not have',
}

/** "Rows that are gone: 12 %, and the limit is 50 %". */
export function checkInWords({ check, status, value, limit }: Version['checks'][number]): string {
  const name = checks[check] ?? check
  if (status === 'SKIPPED' || value === null) return `${name}: nothing to compare with`
  return `${name}: ${shareInWords(value)}, and the limit is ${shareInWords(limit)}`
}

export const stateOf = ({ isActive, status }: Pick<Version, 'isActive' | 'status'>): StatusValue<'version'> =>
  isActive ? 'ACTIVE' : status

/** Whether another version was active before the one that is. */
export const canRollBack = (versions: readonly Version[]): boolean =>
  versions.some(({ isActive }) => isActive) &&
  versions.some(({ isActive, activatedAt }) => !isActive && activatedAt !== null)

/** Whether a job that was held still waits for a person: its version may have been activated since. */
export const isStillHeld = (job: { id: string; status: string }, versions: readonly Version[]): boolean =>
  job.status === 'HELD' && !versions.some(({ jobId, activatedAt }) => jobId === job.id && activatedAt !== null)

/** When a version is held, a sentence for each limit. */
export const guardsInWords = ({ guards: { maxRowDrop, maxUnknownShare } }: Pick<Dataset, 'guards'>): string[] => [
  ...(maxRowDrop === undefined
    ? []
    : [`More than ${shareInWords(maxRowDrop)} of the rows of the active version would be gone.`]),
  ...(maxUnknownShare === undefined
    ? []
    : [`More than ${shareInWords(maxUnknownShare)} of the rows have a product that the catalog does not have.`]),
]
