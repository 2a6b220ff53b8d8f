import { List, Text } from '@mantine/core'
import { counted } from '../../../ui/words/lists.ts'
import { useTargeting } from '../flags/targeting-place.ts'
import { consequenceOf } from '../rules/rule-words.tsx'
import { Suspension } from '../schedules/schedules-here.tsx'
import { usePausedVariation } from '../variations/paused-variation.ts'

/** What a pause does to visitors, and to what is scheduled. */
export function PauseWords() {
  const { environment, inEnvironment, rules } = useTargeting()
  const serving = inEnvironment.live.rules.filter(({ id }) => rules.find((rule) => rule.id === id)?.enabled)
  return (
    <>
      Every visitor in {environment.name} gets <strong>{usePausedVariation()}</strong>.
      {serving.length > 0 && ` ${counted(serving.length, 'rule')} ${serving.length === 1 ? 'stops' : 'stop'} serving.`}
      <Suspension />
    </>
  )
}

/** Who will get what, by rule. */
export function RunWords() {
  const { environment, inEnvironment, rules } = useTargeting()
  const { lastPublishedRevision, draft, live, changes } = inEnvironment
  const isFirst = lastPublishedRevision === null
  const { defaultVariationKey, rules: served } = isFirst ? draft : live
  const enabled = served.filter(({ id }) => rules.find((rule) => rule.id === id)?.enabled)
  return (
    <>
      {isFirst && (
        <Text size="sm" mb="xs">
          This publishes the draft in {environment.name}: {counted(draft.rules.length, 'rule')}.
        </Text>
      )}
      {enabled.length > 0 && (
        <List size="sm">
          {enabled.map((rule) => (
            <List.Item key={rule.id}>{consequenceOf(rule)}</List.Item>
          ))}
        </List>
      )}
      <Text size="sm">
        {enabled.length > 0 ? 'Everyone else' : `Every visitor in ${environment.name}`} gets{' '}
        <strong>{defaultVariationKey}</strong>.
        {!isFirst &&
          changes.length > 0 &&
          ` ${counted(changes.length, 'unpublished change')} ${changes.length === 1 ? 'stays' : 'stay'} unpublished.`}
      </Text>
    </>
  )
}
