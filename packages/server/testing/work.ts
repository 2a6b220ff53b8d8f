import { createHook } from 'node:async_hooks'
import type { KyselyPlugin } from 'kysely'
import type { TestService } from './service.ts'

export interface Work {
  /** Password hashes that the runtime was asked for. */
  hashes: number
  statements: number
}

/** What is done until there is an answer: time itself would tell more of the machine than of the code. */
export async function workOf(service: TestService, answer: (db: TestService['db']) => Promise<unknown>): Promise<Work> {
  const work = { hashes: 0, statements: 0 }
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      work.statements += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const hook = createHook({
    init(_id, type) {
      if (type === 'ARGON2REQUEST') work.hashes += 1
    },
  }).enable()
  try {
    await answer(service.db.withPlugin(counting))
  } finally {
    hook.disable()
  }
  return work
}

/** Whoever asks with one of these must not learn which it is. */
export const addresses = [
  ['an account with a password', 'owner@svc.test'],
  ['an account without one', 'viewer@svc.test'],
  ['no account', 'nobody@svc.test'],
] as const
