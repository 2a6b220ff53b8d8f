import { randomInt } from 'node:crypto'
import { beforeAll, expect, inject, it } from 'vitest'
import { isFull } from '../../packages/server/testing/full.ts'
import { labLimitMs, runInLab } from './lab.ts'
import type { Fault, Faults } from './run.ts'

const marginMs = 20_000
const seedSetting = 'SVC_TEST_SEED'

/**
 * Runs a script of faults in the lab before the tests of a file. Each test then checks the result of one fault and
 * prints its seed. SVC_TEST_SEED=… repeats the same decisions.
 *
 * @returns how a file tests a fault. `found` is the body of such a test, for a fault that only a full run has: its script
 *   gives it to `runEach` only then.
 */
export function faultsOf(script: string) {
  const seed = process.env[seedSetting] ?? String(randomInt(2 ** 31))
  let faults: Faults = {}
  beforeAll(async () => {
    console.info(`${script}: ${seedSetting}=${seed}`)
    const { migrated } = inject('databaseTemplates')
    faults = await runInLab<Faults>(script, {
      LAB_SEED: seed,
      SVC_TEST_FULL: isFull ? '1' : '',
      LAB_TEMPLATE: migrated,
    })
  }, labLimitMs + marginMs)
  const found =
    (id: string, holds: (numbers: Fault['numbers']) => void = () => undefined) =>
    () => {
      const { violations, numbers } = faults[id] ?? { violations: ['the fault was not run'], numbers: {} }
      console.info(`${id} ${seedSetting}=${seed} ${JSON.stringify(numbers)}`)
      expect(violations).toEqual([])
      holds(numbers)
    }
  const fault = (id: string, title: string, holds?: (numbers: Fault['numbers']) => void) =>
    it(`${id} ${title}`, found(id, holds))
  fault('secrets', 'no secret is in a log or a database', ({ noted }) => expect(noted).toBeGreaterThan(0))
  return { fault, found }
}
