import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/** What one file took in one project. */
export interface FileCost {
  project: string
  file: string
  tests: number
  /** From the first import to the last hook. */
  seconds: number
  /** The processor time of the worker and everything that it started, without a server of PostgreSQL. */
  processorSeconds: number
}

/** Writes what each file took to the file that `SVC_TEST_COSTS` names. */
export default class CostsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const costs = modules.map((module): FileCost => {
      const { duration, collectDuration, prepareDuration, setupDuration } = module.diagnostic()
      return {
        project: module.project.name,
        file: module.relativeModuleId,
        tests: [...module.children.allTests()].length,
        seconds: (duration + collectDuration + prepareDuration + setupDuration) / 1_000,
        processorSeconds: module.meta().processorSeconds ?? 0,
      }
    })
    writeFileSync(process.env.SVC_TEST_COSTS!, JSON.stringify(costs))
  }
}
