import { expect, it } from 'vitest'
import { labelOf, progressOf, wayOut } from './job.ts'

it.each([
  ['rows', 'Rows'],
  ['rowsSkipped', 'Rows skipped'],
  ['runId', 'Run id'],
  ['runNumber', 'Run number'],
])('the count %s is labelled %s', (name, label) => expect(labelOf(name)).toBe(label))

const running = { status: 'RUNNING', reason: null, isCancelling: false } as const
it.each([
  [{ ...running, progress: null }, ''],
  [{ ...running, progress: { step: 'READ', done: 41_000, of: null } }, 'READ 41,000'],
  [{ ...running, progress: { step: 'REMOVE', done: 0, of: null } }, 'REMOVE'],
  [{ ...running, progress: { step: 'WRITE', done: 2_000, of: 20_000 } }, 'WRITE 2,000/20,000'],
  [{ ...running, progress: { step: 'FETCH', done: 16_256, of: null } }, 'FETCH 16,256 B'],
  [{ ...running, isCancelling: true, progress: { step: 'READ', done: 7, of: null } }, 'ends after its current step'],
  [{ ...running, status: 'QUEUED', progress: { step: 'WAIT', done: 0, of: null } }, 'WAIT'],
  [
    { ...running, status: 'QUEUED', reason: 'The shop did not answer.', progress: { step: 'WAIT', done: 0, of: null } },
    '',
  ],
  [{ ...running, status: 'SUCCEEDED', progress: { step: 'READ', done: 7, of: 7 } }, ''],
] as const)('the progress of a job is its step with the count %#', (job, words) => expect(progressOf(job)).toBe(words))

it.each([
  ['feed_sync', 'HELD', 'REQUEST', 'If this is right, apply it with svc job apply J.'],
  ['catalog_import', 'HELD', 'UPLOAD', 'If this is right, send the same file again with --apply J.'],
  ['dataset_refresh', 'HELD', 'REQUEST', 'If this is right, let the version go live with svc dataset activate.'],
  ['feed_sync', 'FAILED', 'SCHEDULE', 'To try again, use svc job retry J.'],
  ['catalog_import', 'FAILED', 'UPLOAD', ''],
] as const)('the end of a %s that is %s, by %s, says what to do', (kind, status, trigger, words) => {
  expect(wayOut({ id: 'J', kind, status, trigger })).toBe(words)
})
