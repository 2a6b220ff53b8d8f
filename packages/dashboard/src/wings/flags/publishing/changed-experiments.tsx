import { Paper, Text } from '@mantine/core'
import { segmentOf } from '../../../shell/address.ts'
import { usePlace } from '../../../shell/place.ts'
import { ChangeList, type ListedChange } from '../../../ui/changes/change-list.tsx'
import { type WebNames, webDifferenceWords } from '../../../ui/changes/web-difference-words.ts'
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
  names: WebNames
  /** Places of changes that the person has not read: "<id of the experiment> <path>". */
  fresh?: ReadonlySet<string>
  /** The changes are live. */
  isPublished?: true
  /** Discards a staged change. */
  onUndo?: (experimentId: string, path: string) => void
}

/** Web experiments with their changes. Each staged one can be taken back. */
export function ChangedExperiments(props: ChangedExperimentsProps) {
  const { experiments, otherwise, names, fresh, isPublished, onUndo } = props
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
        <ChangeList
          label={`Changes of ${name}`}
          changes={changes}
          wordsOf={(change) => webDifferenceWords(change, names)}
          fresh={new Set(changes.map(({ path }) => path).filter((path) => fresh?.has(`${id} ${path}`)))}
          {...(isPublished && { isPublished })}
          {...(onUndo && id !== null && { onUndo: ({ path }) => onUndo(id, path) })}
        />
      )}
    </Paper>
  ))
}
