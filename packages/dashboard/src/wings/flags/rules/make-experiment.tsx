import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { usePlace } from '../../../shell/place.ts'
import { announce } from '../../../ui/notice/announce.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { refreshFlag } from '../flags/flag-queries.ts'
import { pathOf, useTargeting } from '../flags/targeting-place.ts'
import { MakeButton } from './make-button.tsx'

/** Makes an experiment that takes over a plain A/B rule, and opens its page. */
export function MakeExperiment({ rule: { id: ruleId, name } }: { rule: { id: string; name: string } }) {
  const { projectId, ...place } = pathOf(useTargeting())
  const { params } = usePlace()
  const client = useQueryClient()
  const navigate = useNavigate()
  const make = useMutation({
    mutationFn: async () => {
      const { data } = await api.POST('/api/v1/projects/{projectId}/experiments', {
        params: { path: { projectId }, header: onlyOnce() },
        body: { ...place, ruleId, name } as never,
      })
      return data!.data
    },
    onSuccess: async ({ shortId }) => {
      await refreshFlag(client)
      await navigate({
        to: '/$org/$project/experiments/$experiment',
        params: { ...params, experiment: String(shortId) },
      })
      announce(`${name} is an experiment. Nothing changes for visitors.`)
    },
  })
  return (
    <>
      <MakeButton
        loading={make.isPending}
        aria-label={`Make it an experiment: ${name}`}
        onClick={() => make.mutate()}
      />
      <FailureNotice error={make.error} title="No experiment was made" />
    </>
  )
}
