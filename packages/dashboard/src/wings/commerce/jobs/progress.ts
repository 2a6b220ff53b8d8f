import { sizeText } from '../../../ui/words/file-size.ts'
import { counted } from '../../../ui/words/lists.ts'
import type { Job } from './job.ts'

/** A step of a job, in words. */
interface Step {
  /** What is done in it. This stays the same while the count moves. */
  does: string
  /** How far it is; empty if there is nothing to say. Absent: nothing is counted. */
  far?: (done: number, of: number | null) => string
}

type Count = (amount: number) => string
const plain: Count = (amount) => amount.toLocaleString('en')
const of =
  (noun: string): Count =>
  (amount) =>
    counted(amount, noun)

/** "7,000 of 25,000", or "7,000 rows so far" while nobody knows how many there are. */
const inAll =
  (count: Count, part: Count = plain) =>
  (done: number, of: number | null): string => {
    if (of) return `${part(done)} of ${part(of)}`
    return done > 0 ? `${count(done)} so far` : ''
  }

const bytes = inAll(sizeText, sizeText)

const steps: Record<string, Step> = {
  COUNT: { does: 'Counting what they did', far: inAll(plain) },
  DELETE: { does: 'Deleting their events' },
  RENAME: { does: 'Renaming them in results', far: inAll(plain) },
  FETCH: { does: 'Fetching the file', far: bytes },
  WAIT: { does: 'Waiting until another job has written the catalog' },
  UNDO: { does: 'Undoing what an earlier attempt has left' },
  READ: { does: 'Reading', far: inAll(of('row')) },
  CHECK: { does: 'Looking for removed items', far: inAll(plain) },
  REMOVE: { does: 'Removing items', far: inAll(plain) },
  RESTORE: { does: 'Bringing items back', far: inAll(plain) },
}

/** Steps of kinds that call different things by the same names. */
const ownSteps: Record<string, typeof steps> = {
  order_import: {
    CHECK: { does: 'Checking', far: inAll(of('order')) },
    WRITE: { does: 'Storing the orders', far: inAll(plain) },
  },
  dataset_refresh: {
    CHECK: { does: 'Looking for products that the catalog does not have', far: inAll(plain) },
  },
  recommendation_run: {
    READ: { does: 'Reading what it learns from', far: inAll(plain) },
    BUILD: { does: 'Building and measuring the model' },
    STORE: { does: 'Storing the model', far: bytes },
  },
}

type Going = Pick<Job, 'kind' | 'status' | 'progress' | 'reason' | 'isCancelling'>

/** The step that a job is in, if it has one to tell. */
function stepOf({ kind, status, progress, reason, isCancelling }: Going): Step | undefined {
  const isInStep = status === 'RUNNING' || waitsForOthers({ status, progress, reason })
  if (!isInStep) return undefined
  if (isCancelling) return { does: 'Ends after its current step' }
  if (!progress) return { does: 'Starting' }
  const { step } = progress
  return ownSteps[kind]?.[step] ?? steps[step] ?? { does: step.toLowerCase(), far: inAll(plain) }
}

/** Whether a queued job has given its place to those that have the catalog first. */
const waitsForOthers = ({ status, progress, reason }: Pick<Job, 'status' | 'progress' | 'reason'>): boolean =>
  status === 'QUEUED' && reason === null && progress?.step === 'WAIT'

/** What a running job does now, and how far it is. Empty for others, unless they wait for another job. */
export function progressInWords(job: Going): string {
  const step = stepOf(job)
  if (!step) return ''
  const { done, of } = job.progress ?? { done: 0, of: null }
  return [step.does, step.far?.(done, of)].filter(Boolean).join(', ')
}

/** How much of its step a job has done, if it is known how much there is. */
export function partOf(job: Going): { label: string; done: number; of: number } | undefined {
  const step = stepOf(job)
  if (!step?.far || !job.progress?.of) return undefined
  return { label: step.does, done: job.progress.done, of: job.progress.of }
}

/** What an open job is about to do, for the title of its notice. */
export function stateInWords({ status, progress, reason }: Pick<Job, 'status' | 'progress' | 'reason'>): string {
  if (status === 'RUNNING') return 'Running'
  if (reason !== null) return 'Waiting for the next attempt'
  return waitsForOthers({ status, progress, reason }) ? 'Waiting for its turn' : 'Waiting for a worker'
}

const ends: Partial<Record<Job['status'], string>> = {
  SUCCEEDED: 'The job is done.',
  FAILED: 'The job has failed.',
  CANCELLED: 'The job is cancelled.',
  HELD: 'The job is held for you.',
}

/** What is read out of a job: its steps and its end. Counts move too often to be heard. */
export const saidOf = (job: Going): string => ends[job.status] ?? stepOf(job)?.does ?? stateInWords(job)
