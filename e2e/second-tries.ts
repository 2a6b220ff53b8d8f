import { relative } from 'node:path'
import type { TestCase, TestModule, Vitest } from 'vitest/node'

/**
 * Prints which tests were tried again, and their number even if it is zero. A test that passes only then fails by
 * chance, so it must be fixed like one that failed.
 */
export default class SecondTries {
  private vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.vitest = vitest
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const again = modules.flatMap((module) => [...module.children.allTests()]).filter(wasTriedAgain)
    this.vitest?.logger.log([`Tests that needed a second try: ${again.length}`, ...again.map(described)].join('\n'))
  }
}

/** It prints the first failure too, because nothing else reports it for a test that passed in the end. */
function described(test: TestCase): string {
  const error = test.result().errors?.[0]
  const at = error?.stacks?.find(({ file }) => !file.includes('node_modules'))
  const lines = [
    `${test.project.name} ${test.module.relativeModuleId} > ${test.fullName}`,
    ...(error ? error.message.split('\n') : []).map((line) => `  ${line}`),
    ...(at ? [`  at ${relative(process.cwd(), at.file)}:${at.line}`] : []),
  ]
  return lines.map((line) => `  ${line}`).join('\n')
}

const wasTriedAgain = (test: TestCase): boolean => (test.diagnostic()?.retryCount ?? 0) > 0
