import { newFlag, succeed, type TestFlag } from './flags.ts'
import type { TestProject, TestService } from './service.ts'

export interface TestExperiment {
  id: string
  ruleId: string
  path: string
}

/** The variations of a test of a BOOLEAN flag. */
export const evenSplit = {
  variations: [
    { key: 'off', weight: 5000 },
    { key: 'on', weight: 5000 },
  ],
  baselineVariationKey: 'off',
}

export async function newExperiment(
  service: TestService,
  project: TestProject,
  flag: TestFlag,
  body: object = {},
): Promise<TestExperiment> {
  const url = `${project.path}/experiments`
  const { id, ruleId } = await succeed(service, 'POST', url, { flagId: flag.id, name: 'Copy', ...evenSplit, ...body })
  return { id, ruleId, path: `${url}/${id}` }
}

/** An experiment in a flag that runs in production, after these calls. */
export async function experimentAfter(
  service: TestService,
  project: TestProject,
  verbs: readonly string[] = [],
): Promise<TestExperiment & { flag: TestFlag }> {
  const flag = await newFlag(service, project, { key: `tested-${crypto.randomUUID()}` })
  await succeed(service, 'POST', `${flag.production}/run`)
  const experiment = await newExperiment(service, project, flag)
  for (const verb of verbs) await succeed(service, 'POST', `${experiment.path}/${verb}`)
  return { ...experiment, flag }
}
