import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { segmentOf } from '../../../shell/address.ts'
import { usePlace } from '../../../shell/place.ts'
import { TextLink } from '../../../ui/links/links.tsx'

interface ExperimentNameProps {
  experiment: { name: string; shortId: number }
  /** Where it runs. */
  children: ReactNode
}

/** The first cell of an experiment in a table: its name, which opens it, and where it runs. */
export function ExperimentName({ experiment, children }: ExperimentNameProps) {
  const { params } = usePlace()
  return (
    <div>
      <TextLink
        to="/$org/$project/experiments/$experiment"
        params={{ ...params, experiment: segmentOf(experiment) }}
        underline="hover"
      >
        <span dir="auto">{experiment.name}</span>
      </TextLink>
      <Text size="xs" c="dimmed">
        {children}
      </Text>
    </div>
  )
}
