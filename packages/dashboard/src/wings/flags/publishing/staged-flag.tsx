import { Checkbox, Paper, Text, Title } from '@mantine/core'
import { IconPlayerPause } from '@tabler/icons-react'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { ChangeList } from '../../../ui/changes/change-list.tsx'
import type { ChangeNames } from '../../../ui/changes/change-words.ts'
import { TextLink } from '../../../ui/links/links.tsx'
import { isOfVariations } from '../flags/discard.ts'
import classes from './review-page.module.css'
import type { Staged } from './staged.ts'

interface StagedFlagProps {
  environment: Environment
  flag: Staged['flags'][number]
  names: ChangeNames
  /** Places of changes that the person has not read: "<id of the flag> <path>". */
  fresh: ReadonlySet<string>
  isPaused: boolean
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
  onUndo: (path: string) => void
}

/** What the next publish changes in a flag. The flag can be left out, and each change can be taken back. */
export function StagedFlag(props: StagedFlagProps) {
  const { environment, flag, names, fresh, isPaused, isChosen, onChoose, onUndo } = props
  const { flagId, key, name, changes } = flag
  const { params } = usePlace()
  const mayPublish = useMay('projects:write')
  const mayEdit = useMay('flags:write')
  return (
    <Paper component="section" withBorder p="md" radius="md" aria-label={name}>
      <div className={classes.head}>
        <Checkbox
          checked={isChosen}
          onChange={(event) => onChoose(event.currentTarget.checked)}
          aria-label={mayPublish ? `Publish ${name}` : `Preview ${name}`}
        />
        <Title order={2} size="h3" className={classes.name ?? ''}>
          <TextLink to="/$org/$project/flags/$flag" params={{ ...params, flag: key }} search={{ env: environment.key }}>
            <bdi>{name}</bdi>
          </TextLink>
        </Title>
      </div>
      {isPaused && (
        <Text size="sm" className={classes.paused ?? ''}>
          <IconPlayerPause size={16} aria-hidden />
          Paused in {environment.name}: nobody gets it until you run it.
        </Text>
      )}
      <ChangeList
        label={`Changes of ${name}`}
        changes={changes}
        names={names}
        fresh={new Set(changes.map(({ path }) => path).filter((path) => fresh.has(`${flagId} ${path}`)))}
        {...(mayEdit && {
          onUndo: ({ path }) => onUndo(path),
          undoNote: ({ path }) => (isOfVariations(path) ? 'in all environments' : undefined),
        })}
      />
    </Paper>
  )
}
