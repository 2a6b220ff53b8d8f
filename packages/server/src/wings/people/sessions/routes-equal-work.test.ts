import { afterAll, beforeAll, expect, test } from 'vitest'
import { addresses, workOf } from '../../../../testing/processes/work.ts'
import { startTestService, type TestService } from '../../../../testing/service.ts'
import { givePassword } from '../../../../testing/sessions.ts'
import { attemptLimits } from '../../../http/limits/attempt-limit.ts'
import { ownWindows } from '../../../http/limits/count-windows.ts'
import { sealWith } from '../../../platform/seal.ts'
import { signIn } from './actions.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
  await givePassword(service, 'owner@svc.test')
})
afterAll(() => service.close())

test.each(addresses)('signing in with a wrong password takes one hash and one statement: %s', async (_what, email) => {
  const failures: unknown[] = []
  const work = await workOf(service, async (db) => {
    const context = {
      db,
      seal: sealWith(Buffer.alloc(32)),
      attempts: attemptLimits(ownWindows),
      onFailure: (failure: unknown) => void failures.push(failure),
      notify: () => expect.unreachable('nothing has changed'),
    }
    const browser = { from: { ip: '192.0.2.1', userAgent: null }, formerSecret: undefined }
    const answer = await signIn(context, { email, password: 'not the password' }, browser, () =>
      expect.unreachable('nobody has signed in'),
    )
    expect(answer).toMatchObject({ refusal: 'sign_in_failed' })
  })
  expect(work).toEqual({ hashes: 1, statements: 1 })
  expect(failures).toHaveLength(1)
})
