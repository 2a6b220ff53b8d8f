import type { PostgresPool, PostgresPoolClient } from 'kysely'
// pg's own conversion of parameters: done here, because classes don't cross between threads.
// @ts-expect-error pg's types leave this file out
import { prepareValue } from 'pg/lib/utils.js'
import { waitingLine } from '../../../turns.ts'
import { unavailable } from '../errors.ts'
import type { Host } from './host.ts'
import type { Keeper } from './keeper.ts'

const acquireLimitMs = 30_000
const maxWaiting = 10_000
const drainLimitMs = 10_000

/**
 * The interface of pg's pool over the single connection of the embedded database. Callers get it in order of arrival.
 */
export function embeddedPool(keeper: Keeper): PostgresPool {
  const waiting = waitingLine({ waitingAtMost: maxWaiting, patienceMs: acquireLimitMs }, turnedAway)
  let isTaken = false
  let isEnding = false
  let drained = () => {}

  const connect = async (): Promise<PostgresPoolClient> => {
    if (isEnding) throw unavailable('the database is closing')
    if (isTaken) await waiting.join()
    isTaken = true
    try {
      return lease(await keeper.host(), passOn)
    } catch (error) {
      passOn()
      throw error
    }
  }

  const passOn = () => {
    if (waiting.callNext()) return
    isTaken = false
    drained()
  }

  const end = async () => {
    isEnding = true
    waiting.dismiss(unavailable('the database is closing'))
    if (isTaken) await Promise.race([new Promise<void>((resolve) => (drained = resolve)), patience()])
    await keeper.close()
  }

  return { connect, end, options: {} }
}

const turnedAway = (why: 'full' | 'late') =>
  unavailable(
    why === 'full' ? 'too many queries wait for the database' : `the database was busy for ${acquireLimitMs} ms`,
  )

/** A released lease answers nothing. A transaction that its holder left open is rolled back before the next lease. */
function lease(host: Host, passOn: () => void): PostgresPoolClient {
  let last: Promise<unknown> = Promise.resolve()
  let isReleased = false

  const query = (text: string, values: readonly unknown[] = []) => {
    if (isReleased) return Promise.reject(new Error('the connection was released'))
    const answer = host.query(text, values.map(prepareValue))
    last = answer.catch(() => {})
    return answer
  }

  const release = () => {
    if (isReleased) return
    isReleased = true
    const clean = async () => {
      await last
      if (host.inTransaction()) await host.query('rollback', []).catch(() => {})
    }
    clean().then(passOn)
  }

  return { query, release } as unknown as PostgresPoolClient
}

const patience = () => new Promise<void>((resolve) => setTimeout(resolve, drainLimitMs).unref())
