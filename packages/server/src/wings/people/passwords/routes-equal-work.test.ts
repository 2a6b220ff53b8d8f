import { afterAll, beforeAll, expect, test } from 'vitest'
import { addresses, workOf } from '../../../../testing/processes/work.ts'
import { startTestService, type TestService } from '../../../../testing/service.ts'
import { givePassword } from '../../../../testing/sessions.ts'
import { attemptLimits } from '../../../http/limits/attempt-limit.ts'
import { ownWindows } from '../../../http/limits/count-windows.ts'
import type { Mailer } from '../../../platform/mail.ts'
import { authors } from '../../../platform/outbox.ts'
import { requestReset } from './actions.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
  await givePassword(service, 'owner@svc.test')
})
afterAll(() => service.close())

test.each(addresses)('a request for a new password is answered before any look-up: %s', async (_what, email) => {
  const later: unknown[] = []
  const mailer: Mailer = {
    post: () => expect.unreachable('too early'),
    send: () => expect.unreachable('awaited'),
    timeoutMs: 1_000,
    close: async () => undefined,
  }
  const work = await workOf(service, async (db) => {
    const context = {
      db,
      attempts: attemptLimits(ownWindows),
      background: { run: (job: unknown) => void later.push(job), settled: async () => undefined },
      mailer,
      baseUrl: 'http://svc.test',
      authors: authors([], () => new Date()),
    }
    expect(await requestReset(context, email, { ip: '192.0.2.1', userAgent: null })).toBeNull()
  })
  expect(work).toEqual({ hashes: 0, statements: 0 })
  expect(later).toHaveLength(1)
})
