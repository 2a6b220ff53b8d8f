import { Button, Text } from '@mantine/core'
import { useMutation, useQueries, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { useMay } from '../../../shell/session.ts'
import { ChangeList } from '../../../ui/changes/change-list.tsx'
import { webDifferenceWords } from '../../../ui/changes/web-difference-words.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { onlyIf, refresh } from '../../../versioned.ts'
import { changeNames } from '../../flags/publishing/staged.ts'
import { changesOptions } from '../web-changes/change-set.ts'
import { type ExperimentOnPages, listPath, namesOfExperiment, onePath } from './experiment.ts'
import { stagedPath, useStaged } from './web-staged.ts'

const discardPath = `${stagedPath}/discard` as const

interface WebUnpublishedProps {
  experiment: ExperimentOnPages
  /** Opens the publish. Undefined for people who cannot. */
  onPublish?: () => void
}

/** What visitors do not get yet, in sentences. Each change can be taken back, or all of them. */
export function WebUnpublished({ experiment, onPublish }: WebUnpublishedProps) {
  const mayRead = useMay('flags:read')
  const query = useStaged(experiment)
  const { data: index } = useProjectIndex()
  const discard = useDiscard(experiment)
  const webChanges = useEditedChanges(experiment, query.data?.content.changes ?? [])
  const [isAsking, setIsAsking] = useState(false)
  const canDiscard = [useMay('flags:write'), onPublish !== undefined].every(Boolean)
  const changes = query.data?.content.changes ?? []
  const all = changes.map(({ path }) => path)
  return (
    <Section
      title="Not published yet"
      description="Visitors still get what was published last."
      actions={
        <>
          {canDiscard && changes.length > 0 && (
            <Button variant="default" onClick={() => setIsAsking(true)}>
              Discard all…
            </Button>
          )}
          {onPublish && (
            <Button variant="default" onClick={onPublish}>
              Review and publish…
            </Button>
          )}
        </>
      }
    >
      <FailureNotice error={discard.error} title="Not undone" />
      {mayRead ? (
        <Loaded query={query}>
          {({ content }) => {
            const names = { ...changeNames({ flags: [content] }, index), ...namesOfExperiment(experiment), webChanges }
            return (
              <ChangeList
                label="Not published yet"
                changes={content.changes}
                wordsOf={(change) => webDifferenceWords(change, names)}
                {...(canDiscard && { onUndo: ({ path }) => discard.mutate([path]) })}
              />
            )
          }}
        </Loaded>
      ) : (
        <Text size="sm">Some changes are not published.</Text>
      )}
      {isAsking && (
        <ConfirmDialog
          title={`Discard ${counted(all.length, 'change')}`}
          verb="Discard"
          isDangerous
          act={() => discard.mutateAsync(all, query.data?.etag)}
          onClose={() => setIsAsking(false)}
        >
          The draft becomes what visitors get now. The audit log keeps what it was.
        </ConfirmDialog>
      )}
    </Section>
  )
}

/** The drafted changes of which fields are staged, so that a sentence can say which text or style it is. */
function useEditedChanges(experiment: ExperimentOnPages, staged: readonly { path: string }[]) {
  const edited = experiment.variations.filter(({ key }) =>
    staged.some(({ path }) => path.startsWith(`variations.${key}.changes.`)),
  )
  const sets = useQueries({
    queries: edited.map(({ key: variationKey }) =>
      changesOptions({ projectId: experiment.projectId, experimentId: experiment.id, variationKey }),
    ),
  })
  return new Map(
    edited.flatMap(({ key }, at) =>
      (sets[at]?.data?.content.changes ?? []).map((change) => [`${key} ${change.id}`, change] as const),
    ),
  )
}

/** Takes changes back in the draft. Nothing changes for visitors. */
function useDiscard({ id, projectId, envId }: ExperimentOnPages) {
  const client = useQueryClient()
  const discarding = useMutation({
    mutationFn: async ({ paths, etag }: { paths: string[]; etag?: string | undefined }) => {
      const params = { path: { projectId, envId }, ...(etag !== undefined && { header: onlyIf(etag) }) }
      await api.POST(discardPath, { params, body: { experimentId: id, paths } })
      await refresh(client, onePath, listPath, stagedPath)
      announce('Undone. Nothing changes for visitors.')
    },
  })
  return {
    error: discarding.error,
    mutate: (paths: string[]) => discarding.mutate({ paths }),
    mutateAsync: (paths: string[], etag: string | undefined) => discarding.mutateAsync({ paths, etag }),
  }
}
