import { ApiError } from '@svc/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { useSettled } from '../../../ui/form/settled.ts'
import { Notice } from '../../../ui/notice/notice.tsx'
import { pathOf, useTargeting } from '../flags/targeting-place.ts'
import { movedWords } from './moved-words.ts'
import type { RuleValues } from './rule-form.ts'

type Moving = Pick<RuleValues, 'variations' | 'bucketBy'>

/** What an edit does to the visitors whom a running test has counted, before it is saved. */
export function MovedVisitors({ ruleId, variations, bucketBy }: Moving & { ruleId: string }) {
  const path = { ...pathOf(useTargeting()), ruleId }
  const typed = JSON.stringify({ variations, bucketBy })
  const [wanted, setWanted] = useState(typed)
  // A slider would otherwise ask the service at every step.
  const [text, setText] = useSettled(wanted, setWanted)
  if (text !== typed) setText(typed)
  const { data } = useQuery({
    queryKey: ['moved visitors', ruleId, wanted],
    queryFn: async ({ signal }) => {
      const body = { ...(JSON.parse(wanted) as Moving), dryRun: true }
      try {
        const at = '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/rules/{ruleId}'
        await api.PATCH(at, { params: { path }, body: body as never, signal })
        return { refused: false } as const
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'reassignment_unconfirmed') throw error
        return { refused: true, details: error.details } as const
      }
    },
    placeholderData: (before) => before,
    retry: false,
  })
  return (
    <Notice tone="warning" says="politely">
      {data?.refused
        ? `${movedWords(data.details)} You confirm it when you save.`
        : 'Visitors whom this test has counted can get another variation.'}
    </Notice>
  )
}
