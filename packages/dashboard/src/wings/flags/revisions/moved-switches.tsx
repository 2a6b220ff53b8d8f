import { Button, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { announce } from '../../../ui/notice/announce.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { switchTo } from '../switches/switching.ts'
import type { useTrial } from './revision-queries.ts'

type Moved = NonNullable<ReturnType<typeof useTrial>['data']>['switches'][number]

interface MovedSwitchesProps {
  environment: Environment
  switches: readonly Moved[]
  nameOf: (key: string) => string
  /** Nothing else would be restored, so the switch is all that is missing. */
  mayMove?: boolean
}

const shownMax = 5

/** Flags that ran then and are paused now, or the other way round. A restore leaves switches as they are. */
export function MovedSwitches({ environment, switches, nameOf, mayMove }: MovedSwitchesProps) {
  if (switches.length === 0) return null
  return (
    <Stack gap="xs">
      {switches.slice(0, shownMax).map((moved) => (
        <MovedSwitch
          key={moved.flagId}
          environment={environment}
          moved={moved}
          name={nameOf(moved.key)}
          mayMove={mayMove === true}
        />
      ))}
      {switches.length > shownMax && (
        <Text size="sm">And {counted(switches.length - shownMax, 'more flag')} whose switch differs.</Text>
      )}
      {!mayMove && (
        <Text size="sm" c="dimmed">
          A restore leaves switches as they are.
        </Text>
      )}
    </Stack>
  )
}

interface MovedSwitchProps {
  environment: Environment
  moved: Moved
  name: string
  mayMove: boolean
}

function MovedSwitch({ environment, moved, name, mayMove }: MovedSwitchProps) {
  const client = useQueryClient()
  const { project } = usePlace()
  const action = moved.to ? 'run' : 'pause'
  const move = useMutation({
    mutationFn: () => switchTo(client, { projectId: project.id, flagKey: moved.key, environment }, action),
    onSuccess: (answer) => {
      if (answer) announce(`${name} ${moved.to ? 'runs' : 'is paused'} in ${environment.name}.`)
    },
  })
  const words = moved.to ? `${name} was running then and is paused now.` : `${name} was paused then and runs now.`
  if (move.data) return <Text size="sm">{moved.to ? `${name} runs again.` : `${name} is paused again.`}</Text>
  return (
    <Text size="sm" component="div">
      {words}{' '}
      {mayMove && (
        <Button size="compact-sm" variant="default" loading={move.isPending} onClick={() => move.mutate()}>
          {moved.to ? 'Run it now' : 'Pause it now'}
        </Button>
      )}
      {move.isSuccess && !move.data && ' That was not possible. Open the flag to see why.'}
    </Text>
  )
}
