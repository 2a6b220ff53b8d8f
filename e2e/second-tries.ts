import type { TestCase, TestModule, Vitest } from 'vitest/node'

/**
 * Prints which tests were tried again, and how many these are, also if there are none. One that then passed fails by
 * chance, so it must be mended like one that failed.
 */
export default class SecondTries {
  private vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.vitest = vitest
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const again = modules.flatMap((module) => [...module.children.allTests()]).filter(wasTriedAgain)
    const names = again.map((test) => `  ${test.project.name} ${test.module.relativeModuleId} > ${test.fullName}`)
    this.vitest?.logger.log([`Tests that needed a second try: ${again.length}`, ...names].join('\n'))
  }
}

const wasTriedAgain = (test: TestCase): boolean => (test.diagnostic()?.retryCount ?? 0) > 0
