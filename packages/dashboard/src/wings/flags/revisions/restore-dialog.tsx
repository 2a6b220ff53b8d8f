import { Button, Checkbox, Group, List, Stack, Text } from '@mantine/core'
import { ApiError } from '@svc/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { usePlace } from '../../../shell/place.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { first } from '../../../ui/form/form.tsx'
import { wasOvertaken } from '../../../ui/form/overtaken.ts'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { counted, including } from '../../../ui/words/lists.ts'
import { onlyIf, refresh } from '../../../versioned.ts'
import { refreshFlag } from '../flags/flag-queries.ts'
import { stagedPath } from '../publishing/staged-query.ts'
import { MovedSwitches } from './moved-switches.tsx'
import { type Restore, revisionsPath, useTrial } from './revision-queries.ts'
import { labelOf, replacedWork, stateOf } from './revision-words.ts'

interface RestoreDialogProps {
  restore: Restore
  title: string
  onClose: () => void
}

/** Says what a restore would stage and which unpublished work it replaces, then stages it and opens the review. */
export function RestoreDialog({ restore, title, onClose }: RestoreDialogProps) {
  // All three are read here: a query that is first read inside the dialog, whose code loads later, would miss the answer.
  const { data, error, refetch } = useTrial(restore)
  const { project } = usePlace()
  const isRefused = error instanceof ApiError && error.status === 409
  return (
    <Dialog title={title} size="lg" onClose={onClose}>
      {isRefused ? (
        <OnlyClose onClose={onClose}>
          <FailureNotice error={error} title={`Revision ${labelOf(restore.place)} cannot be restored as a whole`} />
          {project.type !== 'WEB' && (
            <Text size="sm">Other flags can be restored one by one, from the History tab of each flag.</Text>
          )}
        </OnlyClose>
      ) : (
        <Loaded query={{ data, error, refetch }} lines={4}>
          {(trial) => <Choice restore={restore} trial={trial} readAgain={refetch} onClose={onClose} />}
        </Loaded>
      )}
    </Dialog>
  )
}

/** Where nothing can be staged. */
const OnlyClose = ({ onClose, children }: { onClose: () => void; children: ReactNode }) => (
  <Stack gap="md">
    {children}
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose} {...first}>
        Close
      </Button>
    </Group>
  </Stack>
)

// The API takes 1,000, and so many keys would not fit into an address.
const maxInAddress = 100

interface StagingProps {
  restore: Restore
  trial: NonNullable<ReturnType<typeof useTrial>['data']>
  readAgain: () => unknown
}

interface ChoiceProps extends StagingProps {
  onClose: () => void
}

function Choice({ restore, trial, readAgain, onClose }: ChoiceProps) {
  const { environment, place } = restore
  const { data: index } = useProjectIndex()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const nameOf = (key: string) => index?.flags?.find((flag) => flag.key === key)?.name ?? key
  const chosen = trial.flags.filter(({ flagId }) => !left.has(flagId))
  const stage = useStaging({ restore, trial, readAgain }, chosen)
  const isOvertaken = wasOvertaken(stage.error)
  if (trial.flags.length === 0 && trial.experiments.length === 0)
    return (
      <OnlyClose onClose={onClose}>
        <Text size="sm">
          {trial.switches.length > 0
            ? `The drafts in ${environment.name} already match revision ${labelOf(place)}. Only switches differ.`
            : `Nothing to restore: the drafts in ${environment.name} already match revision ${labelOf(place)}.`}
        </Text>
        <MovedSwitches environment={environment} switches={trial.switches} nameOf={nameOf} mayMove />
      </OnlyClose>
    )
  const isNothing = chosen.length === 0 && trial.experiments.length === 0
  const choose = (flagId: string, isChosen: boolean) => setLeft(including(left, flagId, !isChosen))
  return (
    <Stack gap="md">
      <Text size="sm">
        {trial.experiments.length > 0
          ? 'What these experiments test becomes a draft'
          : 'The default, the overrides and the rules become drafts'}
        , as in revision {labelOf(place)}. Visitors of {environment.name} notice nothing until you publish.{' '}
        {trial.experiments.length > 0 ? 'Audiences stay' : 'Switches, variations and audiences stay'} as they are.
      </Text>
      {trial.experiments.length > 0 && <RestoredExperiments experiments={trial.experiments} />}
      {trial.flags.length > 0 && (
        <Stack gap="xs" role="group" aria-label="Flags">
          {trial.flags.map(({ flagId, key, changes }) => (
            <Checkbox
              key={flagId}
              checked={!left.has(flagId)}
              disabled={trial.flags.length === 1}
              onChange={(event) => choose(flagId, event.currentTarget.checked)}
              label={nameOf(key)}
              description={counted(changes.length, 'change')}
            />
          ))}
        </Stack>
      )}
      <Replaced chosen={chosen} staged={trial.staged} nameOf={nameOf} />
      <MovedSwitches environment={environment} switches={trial.switches} nameOf={nameOf} />
      {isOvertaken ? (
        <Notice tone="warning" says="at once" title="The list of unpublished changes has changed">
          Nothing was staged. Look at the list again.
        </Notice>
      ) : (
        <FailureNotice error={stage.error} title="Not staged" />
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={stage.isPending} disabled={isNothing} onClick={() => stage.mutate()} {...first}>
          Stage and review
        </Button>
      </Group>
      {isNothing && (
        <Text size="sm" c="dimmed" ta="right">
          Choose a flag first.
        </Text>
      )}
    </Stack>
  )
}

/** Web experiments are restored together. */
function RestoredExperiments({ experiments }: { experiments: StagingProps['trial']['experiments'] }) {
  return (
    <List size="sm" aria-label="Experiments">
      {experiments.map(({ id, name, changes }) => (
        <List.Item key={id}>
          {name}: {counted(changes.length, 'change')}
        </List.Item>
      ))}
    </List>
  )
}

interface ReplacedProps {
  chosen: StagingProps['trial']['flags']
  staged: StagingProps['trial']['staged']
  nameOf: (key: string) => string
}

/** The unpublished work that the chosen flags lose. */
function Replaced({ chosen, staged, nameOf }: ReplacedProps) {
  const replaced = chosen.flatMap(({ flagId, key }) => {
    const work = replacedWork(flagId, staged)
    return work === undefined ? [] : [{ flagId, name: nameOf(key), work }]
  })
  if (replaced.length === 0) return null
  return (
    <Notice tone="warning" title="This replaces unpublished work">
      {replaced.map(({ flagId, name, work }) => (
        <div key={flagId}>
          {name}: {work}
        </div>
      ))}
    </Notice>
  )
}

/** Stages the chosen flags and opens their review. */
function useStaging({ restore, trial, readAgain }: StagingProps, chosen: StagingProps['trial']['flags']) {
  const { environment, place, flagIds } = restore
  const { project, params } = usePlace()
  const client = useQueryClient()
  const navigate = useNavigate()
  const isWhole = chosen.length === trial.flags.length
  return useMutation({
    mutationFn: () =>
      api.POST(`${revisionsPath}/{revision}/restore`, {
        params: {
          path: { projectId: project.id, envId: environment.id, revision: stateOf(place) },
          header: { ...onlyOnce(), ...onlyIf(trial.etag) },
        },
        body: { flagIds: isWhole ? flagIds && [...flagIds] : chosen.map(({ flagId }) => flagId) },
      }),
    onSuccess: async () => {
      await Promise.all([refreshFlag(client), refresh(client, stagedPath)])
      announce(`The drafts are as in revision ${labelOf(place)}. Visitors get them when you publish.`)
      const keys = chosen.map(({ key }) => key)
      await navigate({
        to: '/$org/$project/environments/$environment/publish',
        params: { ...params, environment: environment.key },
        search: keys.length > 0 && keys.length <= maxInAddress ? { flags: keys.join(',') } : {},
      } as never)
    },
    onError: readAgain,
  })
}
