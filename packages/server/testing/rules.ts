import { addRule, delivery, newFlag, succeed, type TestFlag } from './flags.ts'
import type { TestProject, TestService } from './service.ts'

export interface TestRule {
  id: string
  shortId: number
  name: string
}

/** Names of one letter, as one word. */
export const namesOf = (rules: TestRule[]): string => rules.map(({ name }) => name).join('')

/** For tests of rules that follow each other. */
export function rulesIn(service: TestService, project: TestProject) {
  let count = 0
  return {
    /** A new flag with a rule of each name in production, in this order. */
    async flagWithRules(...names: string[]): Promise<{ flag: TestFlag; rules: TestRule[]; path: string }> {
      count += 1
      const flag = await newFlag(service, project, { key: `flag-${count}` })
      const rules: TestRule[] = []
      for (const name of names) rules.push(await addRule(service, flag.production, delivery(name)))
      return { flag, rules, path: `${flag.production}/rules` }
    },
    /** The names of its rules in production, in the present order. */
    order: async (flag: TestFlag): Promise<string> =>
      namesOf(await succeed(service, 'GET', `${flag.production}/rules`)),
  }
}
