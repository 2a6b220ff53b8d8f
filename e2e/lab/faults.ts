import { randomInt } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { runInLab } from './lab.ts'
import type { Fault, Faults } from './run.ts'

const hookLimitMs = 320_000
const seedSetting = 'SVC_TEST_SEED'

/**
 * Runs a script of faults in the lab before the tests of a file; each test then says what one of them has shown, and
 * prints its seed. The same decisions again: SVC_TEST_SEED=….
 */
export function faultsOf(script: string, settings: Record<string, string> = {}) {
  const seed = process.env[seedSetting] ?? String(randomInt(2 ** 31))
  let faults: Faults = {}
  beforeAll(async () => {
    console.info(`${script}: ${seedSetting}=${seed}`)
    faults = await runInLab<Faults>(script, { ...settings, LAB_SEED: seed })
  }, hookLimitMs)
  return (id: string, title: string, holds: (numbers: Fault['numbers']) => void = () => undefined) =>
    it(`${id} ${title}`, () => {
      const { violations, numbers } = faults[id] ?? { violations: ['the fault was not run'], numbers: {} }
      console.info(`${id} ${seedSetting}=${seed} ${JSON.stringify(numbers)}`)
      expect(violations).toEqual([])
      holds(numbers)
    })
}
