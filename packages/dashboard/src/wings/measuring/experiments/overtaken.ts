import { useState } from 'react'
import { type ChangedBy, useChangedBy } from '../../../shell/live.tsx'
import { merge } from '../../../ui/form/merge.ts'
import { statusOf } from '../../../ui/status/status-words.ts'
import { allOf } from '../../../ui/words/lists.ts'
import type { Experiment } from './experiment.ts'
import { labels, valuesOf } from './experiment-form.ts'

/** Who has changed an experiment, its flag or what is published since this was opened. */
export function useOther({ id, ruleId, flagId, envId }: Experiment): string | undefined {
  const marks = [
    useChangedBy('experiment', id),
    useChangedBy('rule', ruleId),
    useChangedBy('flag', flagId ?? ''),
    useChangedBy('environment', envId),
  ]
  const [before] = useState(marks)
  const since = marks.filter((mark, at): mark is ChangedBy => mark !== undefined && mark !== before[at])
  return since.toSorted((one, other) => +other.at - +one.at)[0]?.name
}

/** For a change that the service has not announced yet. */
export const anybody = 'Another person'

/** What differs in an experiment now, in sentences. */
export function newsOf(before: Experiment, now: Experiment): string[] {
  const { winner, variations, status } = now
  const isNew = winner && JSON.stringify(winner) !== JSON.stringify(before.winner)
  const name = variations.find(({ key }) => key === winner?.variationKey)?.name ?? winner?.variationKey
  const was = valuesOf(before)
  const fields = merge(was, was, valuesOf(now)).theirs.map((field) => labels[field as keyof typeof labels])
  return [
    ...(isNew ? [`${winner.declaredBy.name} chose ${name} as the winner.`] : []),
    ...(status === before.status ? [] : [`The experiment is now: ${statusOf('experiment', status).words}.`]),
    ...(fields.length === 0 ? [] : [`${allOf(fields)} ${fields.length === 1 ? 'is' : 'are'} different now.`]),
  ]
}
