import { createHook } from 'node:async_hooks'
import type { KyselyPlugin } from 'kysely'
import type { TestService } from '../service.ts'

export interface Work {
  /** The number of password hashes that were computed. */
  hashes: number
  statements: number
}

/** The work until the answer. Measuring time would say more about the machine than about the code. */
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

/** A caller with one of these must not find out which one it is. */
export const addresses = [
  ['an account with a password', 'owner@svc.test'],
  ['an account without a password', 'viewer@svc.test'],
  ['no account', 'nobody@svc.test'],
] as const
