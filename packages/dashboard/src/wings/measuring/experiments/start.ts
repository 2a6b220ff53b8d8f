import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import type { Environment } from '../../../shell/place.ts'
import { type Flag, refreshFlag, useFlagEnvironment, useRules } from '../../flags/flags/flag-queries.ts'
import type { Experiment } from './experiment.ts'
import { startWords } from './start-words.ts'

const runPath = '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/run'

/** What a launch or a resumption needs of the flag. An experiment serves only while its flag runs. */
export function useStart({ envId, ruleId }: Experiment, flag: Flag, environment: Environment | undefined) {
  const client = useQueryClient()
  const { data: inEnvironment } = useFlagEnvironment(flag, envId)
  const { data: rules } = useRules(flag, envId)
  const content = inEnvironment?.content
  const isFirstRun = content?.lastPublishedRevision === null
  const served = (isFirstRun ? content?.draft : content?.live)?.rules ?? []
  const others = served.filter(({ id }) => id !== ruleId && rules?.data.find((rule) => rule.id === id)?.enabled)
  return {
    ...startWords({
      flag,
      place: environment?.name ?? 'its environment',
      // Unknown is not paused: the service says so if it is.
      isFlagRunning: content?.enabled ?? true,
      isFirstRun,
      others: others.map(({ name }) => name),
    }),
    async run() {
      const path = { projectId: flag.projectId, flagId: flag.id, envId }
      await api.POST(runPath, { params: { path, header: onlyOnce() } })
      await refreshFlag(client)
    },
  }
}
