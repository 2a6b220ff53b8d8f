import { describe, expect, test } from 'vitest'
import type { Job } from '../jobs/job.ts'
import { beginning, looked, sendingInWords } from './sending.ts'

const job = (id: string, job: Partial<Job> = {}): Job =>
  ({ id, kind: 'catalog_import', trigger: 'UPLOAD', status: 'RUNNING', progress: null, ...job }) as Job
const begun = looked(beginning({ name: 'feed.csv', size: 12_000_000 } as File), job('old', { status: 'SUCCEEDED' }))

describe('the job of a file that is sent', () => {
  test('is none that was there before', () => {
    expect(begun).toMatchObject({ before: 'old', job: undefined, status: 'SENDING' })
    expect(looked(begun, job('old', { status: 'SUCCEEDED' }))).toBe(begun)
    expect(looked(beginning({ name: 'feed.csv', size: 1 } as File), undefined).before).toBeNull()
  })

  test.each([
    [job('new'), { job: { id: 'new' }, status: 'SENDING' }],
    [job('new', { status: 'FAILED' }), { job: { id: 'new' }, status: 'TAKEN' }],
    [job('new', { trigger: 'SCHEDULE' }), { job: undefined, status: 'SENDING' }],
    [undefined, { job: undefined, status: 'SENDING' }],
  ])('%j', (newest, expected) => expect(looked(begun, newest)).toMatchObject(expected))

  test('ends nothing that is being cancelled', () =>
    expect(looked({ ...begun, status: 'CANCELLING' }, job('new', { status: 'CANCELLED' })).status).toBe('CANCELLING'))
})

test.each([
  [{ sent: 3_200_000 }, '3.2 MB of 12 MB sent.'],
  [
    { sent: 3_200_000, job: job('new', { progress: { step: 'READ', done: 41_000, of: null } }) },
    '3.2 MB of 12 MB sent. Reading, 41,000 rows so far.',
  ],
  [{ sent: 12_000_000 }, 'All of it is sent (12 MB). The service reads the end of it.'],
  [{ status: 'CANCELLING' as const }, 'Being cancelled'],
])('%j is said as it is', (change, words) => expect(sendingInWords({ ...begun, ...change })).toBe(words))
