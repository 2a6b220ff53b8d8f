import { Button, Group, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Changing } from '../../../ui/changes/changing.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { beside } from '../flags/flag-search.ts'
import { useTargeting } from '../flags/targeting-place.ts'
import type { Allowlist } from '../rules/rule-rows.ts'

/** Visitors who always get a variation, before any rule is asked. */
export function OverridesLine() {
  const { inEnvironment, mayEdit, isLiveOnly } = useTargeting()
  const navigate = useNavigate()
  const shown = wordsOf(inEnvironment.live.overrides.environmentAllowlist)
  const next = isLiveOnly ? shown : wordsOf(inEnvironment.draft.overrides.environmentAllowlist)
  return (
    <Group gap="sm">
      <Text size="sm" component="span">
        {shown === undefined && next === undefined ? (
          'Individual visitors: none'
        ) : (
          <>
            Individual visitors:{' '}
            {shown === next ? <strong>{shown}</strong> : <Changing live={shown ?? 'nobody'} next={next ?? 'nobody'} />}
          </>
        )}
      </Text>
      {mayEdit && (
        <Button
          variant="default"
          size="compact-sm"
          onClick={() =>
            void navigate({
              to: '.',
              search: beside({ panel: 'always' }) as never,
              resetScroll: false,
            })
          }
          aria-label="Edit the individual visitors"
        >
          Edit
        </Button>
      )}
    </Group>
  )
}

/** "4 visitors get on, 1 gets off". Undefined if nobody is on a list. */
function wordsOf(list: Allowlist): string | undefined {
  const said = list
    .filter(({ userIds }) => userIds.length > 0)
    .map(({ variationKey, userIds }, at) => {
      const count = at === 0 ? counted(userIds.length, 'visitor') : userIds.length.toLocaleString('en')
      return `${count} ${userIds.length === 1 ? 'gets' : 'get'} ${variationKey}`
    })
  return said.length === 0 ? undefined : said.join(', ')
}
