import { expect, test } from 'vitest'
import { partOf, progressInWords, saidOf, stateInWords } from './progress.ts'

const job = { kind: 'feed_sync', status: 'RUNNING', isCancelling: false, reason: null, progress: null } as const
const at = (step: string, done: number, of: number | null = null, kind = 'feed_sync') =>
  ({ ...job, kind, progress: { step, done, of } }) as const

test.each([
  [{ ...job, status: 'QUEUED' }, '', 'Waiting for a worker'],
  [job, 'Starting', 'Starting'],
  [at('COUNT', 1, 4, 'visitor_erasure'), 'Counting what they did, 1 of 4', 'Counting what they did'],
  [at('DELETE', 0, null, 'visitor_erasure'), 'Deleting their events', 'Deleting their events'],
  [at('FETCH', 2_300_000), 'Fetching the file, 2.3 MB so far', 'Fetching the file'],
  [at('READ', 41_000), 'Reading, 41,000 rows so far', 'Reading'],
  [at('READ', 1), 'Reading, 1 row so far', 'Reading'],
  [at('REMOVE', 0), 'Removing items', 'Removing items'],
  [at('UNDO', 0), 'Undoing what an earlier attempt has left', 'Undoing what an earlier attempt has left'],
  [at('RESTORE', 500, null, 'catalog_restore'), 'Bringing items back, 500 so far', 'Bringing items back'],
  [at('TRAIN', 3, 9), 'train, 3 of 9', 'train'],
  [at('CHECK', 1_200, null, 'order_import'), 'Checking, 1,200 orders so far', 'Checking'],
  [at('WRITE', 2_000, 20_000, 'order_import'), 'Storing the orders, 2,000 of 20,000', 'Storing the orders'],
  [at('READ', 500, 2_000, 'dataset_refresh'), 'Reading, 500 of 2,000', 'Reading'],
  [
    at('READ', 7_000, null, 'recommendation_run'),
    'Reading what it learns from, 7,000 so far',
    'Reading what it learns from',
  ],
  [at('STORE', 1_500_000, 20_000_000, 'recommendation_run'), 'Storing the model, 1.5 MB of 20 MB', 'Storing the model'],
  [{ ...at('READ', 5), isCancelling: true }, 'Ends after its current step', 'Ends after its current step'],
  [{ ...at('READ', 5), status: 'SUCCEEDED' }, '', 'The job is done.'],
  [{ ...at('READ', 5), status: 'HELD' }, '', 'The job is held for you.'],
] as const)('a job reads as far as it is, and only its steps are read out %#', (each, words, said) => {
  expect([progressInWords(each), saidOf(each)]).toEqual([words, said])
})

test.each([
  [{ ...job, status: 'QUEUED' }, 'Waiting for a worker', ''],
  [{ ...at('WAIT', 0), status: 'QUEUED' }, 'Waiting for its turn', 'Waiting until another job has written the catalog'],
  [{ ...at('WAIT', 0), status: 'QUEUED', reason: 'The shop did not answer.' }, 'Waiting for the next attempt', ''],
  [{ ...at('READ', 7), status: 'QUEUED', reason: 'The shop did not answer.' }, 'Waiting for the next attempt', ''],
  [at('READ', 7), 'Running', 'Reading, 7 rows so far'],
] as const)('an open job says what it waits for %#', (each, state, words) => {
  expect([stateInWords(each), progressInWords(each)]).toEqual([state, words])
})

test('a bar shows a step of known length, and no other', () => {
  const label = 'Storing the orders'
  expect(partOf(at('WRITE', 2_000, 20_000, 'order_import'))).toEqual({ label, done: 2_000, of: 20_000 })
  expect(partOf(at('READ', 2_000))).toBeUndefined()
  expect(partOf({ ...at('WRITE', 5, 9, 'order_import'), isCancelling: true })).toBeUndefined()
  expect(partOf({ ...at('WRITE', 9, 9, 'order_import'), status: 'SUCCEEDED' })).toBeUndefined()
})
