import type { Data } from '@svc/client'
import type { Condition } from '../../../ui/conditions/conditions.ts'
import { moment } from '../../../ui/time/dates.ts'
import { allOf, counted } from '../../../ui/words/lists.ts'
import { percent } from '../../../ui/words/percent.ts'

export type Reach = Data<'/api/v1/projects/{projectId}/audiences/{audienceId}/envs/{envId}/reach', 'get'>

/** How many visitors of the sample are in the audience, in sentences. The first is the answer. */
export function reachInWords({ samplesVisitors, sample, matching, unknownAttributes }: Reach): string[] {
  if (!samplesVisitors) return ['This project samples no visitors. An admin can switch the sample on in the settings.']
  if (sample.from === null || sample.to === null) return ['No visitor was seen in the last 7 days.']
  const share = percent(Math.round((100 * matching) / sample.visitors))
  return [
    `${matching.toLocaleString('en')} of ${counted(sample.visitors, 'visitor')}: ${share}.`,
    `Seen from ${moment(new Date(sample.from))} to ${moment(new Date(sample.to))}.`,
    ...(unknownAttributes.length > 0
      ? [`The sample has no values of ${allOf(unknownAttributes)}, so its visitors are judged as if they had none.`]
      : []),
  ]
}

/** The attributes that a condition reads, each once, in the order of the condition. */
export function attributesIn(condition: Condition): string[] {
  const inside = (each: Condition): string[] => {
    if ('all' in each) return each.all.flatMap(inside)
    if ('any' in each) return each.any.flatMap(inside)
    if ('not' in each) return inside(each.not)
    return 'attribute' in each ? [each.attribute] : []
  }
  return [...new Set(inside(condition))]
}
