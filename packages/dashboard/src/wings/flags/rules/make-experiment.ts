import type { NavigateOptions } from '@tanstack/react-router'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { announce } from '../../../ui/announce.tsx'

interface PlainTest {
  projectId: string
  flagId: string
  envId: string
  ruleId: string
  name: string
}

/** Makes an experiment that takes over a plain A/B rule. Answers where its page is. */
export async function makeExperiment(
  { projectId, name, ...rule }: PlainTest,
  params: { org: string; project: string },
): Promise<NavigateOptions> {
  const { data } = await api.POST('/api/v1/projects/{projectId}/experiments', {
    params: { path: { projectId }, header: onlyOnce() },
    body: { ...rule, name } as never,
  })
  announce(`${name} is an experiment. Visitors notice nothing.`)
  return {
    to: '/$org/$project/experiments/$experiment',
    params: { ...params, experiment: String(data!.data.shortId) },
  } as NavigateOptions
}
