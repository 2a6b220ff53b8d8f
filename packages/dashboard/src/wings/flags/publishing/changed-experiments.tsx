import { Paper, Text } from '@mantine/core'
import { segmentOf } from '../../../shell/address.ts'
import { usePlace } from '../../../shell/place.ts'
import { ChangeList, type ListedChange } from '../../../ui/changes/change-list.tsx'
import { TextLink } from '../../../ui/links/links.tsx'

interface ChangedExperimentsProps {
  experiments: readonly {
    /** Null if the experiment was deleted. */
    id: string | null
    shortId: number
    name: string
    changes: readonly ListedChange[]
  }[]
  /** What to say of an experiment without differences to list. */
  otherwise?: string
  /** The changes are live. */
  isPublished?: true
}

/** Web experiments with their changes, which are undone on the page of the experiment. */
export function ChangedExperiments({ experiments, otherwise, isPublished }: ChangedExperimentsProps) {
  const { params } = usePlace()
  return experiments.map(({ id, shortId, name, changes }) => (
    <Paper component="section" withBorder p="md" radius="md" key={shortId} aria-label={`Experiment ${name}`}>
      {id === null ? (
        <Text fw={600}>{name}</Text>
      ) : (
        <TextLink
          to="/$org/$project/experiments/$experiment"
          params={{ ...params, experiment: segmentOf({ shortId, name }) }}
          fw={600}
        >
          {name}
        </TextLink>
      )}
      {changes.length === 0 ? (
        <Text size="sm">{otherwise}</Text>
      ) : (
        <ChangeList label={`Changes of ${name}`} changes={changes} {...(isPublished && { isPublished })} />
      )}
    </Paper>
  ))
}
