import { describe, expect, test } from 'vitest'
import type { Job } from '../jobs/job.ts'
import { beginning, looked, sendingInWords } from './sending.ts'

const job = (id: string, job: Partial<Job> = {}): Job =>
  ({ id, kind: 'catalog_import', trigger: 'UPLOAD', status: 'RUNNING', progress: null, ...job }) as Job
const begun = beginning({ name: 'feed.csv', size: 12_000_000 } as File, 'mine')
const own = { sending: 'mine' }

describe('the job of a file that is sent', () => {
  test('is none that was there before, and none of another sender', () => {
    for (const other of [job('old', { status: 'SUCCEEDED' }), job('other', { sending: 'theirs' }), undefined])
      expect(looked(begun, other)).toBe(begun)
    const known = looked(begun, job('new', own))
    expect(looked(known, job('other', { sending: 'theirs', status: 'FAILED' }))).toBe(known)
  })

  test('is known again once it works with something else', () =>
    expect(looked(looked(begun, job('new', own)), job('new', { sending: null, status: 'FAILED' })).status).toBe(
      'TAKEN',
    ))

  test.each([
    [job('new', own), { job: { id: 'new' }, status: 'SENDING' }],
    [job('new', { ...own, status: 'FAILED' }), { job: { id: 'new' }, status: 'TAKEN' }],
  ])('%j', (newest, expected) => expect(looked(begun, newest)).toMatchObject(expected))

  test('ends nothing that is being cancelled', () =>
    expect(looked({ ...begun, status: 'CANCELLING' }, job('new', { ...own, status: 'CANCELLED' })).status).toBe(
      'CANCELLING',
    ))
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
