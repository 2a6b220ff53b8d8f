import { Button, Checkbox, Text, Textarea } from '@mantine/core'
import type { Data } from '@svc/client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { ChangeList } from '../../../ui/changes/change-list.tsx'
import { webDifferenceWords } from '../../../ui/changes/web-difference-words.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { ApiForm, useForm } from '../../../ui/form/form.tsx'
import { wasOvertaken } from '../../../ui/form/overtaken.ts'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { onlyIf, useDone, type Versioned, versioned } from '../../../versioned.ts'
import { refreshFlag } from '../../flags/flags/flag-queries.ts'
import { changeNames, lineOf, type Staged } from '../../flags/publishing/staged.ts'
import { ChangedMeanwhile } from './changed-meanwhile.tsx'
import { type Experiment, listPath, namesOfExperiment, onePath } from './experiment.ts'
import { anybody, useOther } from './overtaken.ts'

const publishPath = `${onePath}/publish` as const
const stagedPath = '/api/v1/projects/{projectId}/environments/{envId}/staged'

/** All that is staged of the flag or the web experiment, and what to think of before it is published. */
interface Preview {
  staged: Staged['flags'] | Staged['experiments']
  warnings: Data<typeof publishPath, 'post'>['warnings']
  status: Experiment['status']
}

interface PublishExperimentProps {
  experiment: Versioned<Experiment>
  /** The environment. */
  place: string
  onClose: () => void
}

/** Shows what a publish would change for visitors, and publishes it. */
export function PublishExperiment(props: PublishExperimentProps) {
  const { content } = props.experiment
  const { projectId, id: experimentId, envId, flagId } = content
  const preview = useQuery({
    queryKey: ['get', publishPath, experimentId],
    queryFn: async ({ signal }): Promise<Versioned<Preview>> => {
      // A change that comes after this read is refused by its version, even if the answer below has it.
      const query = flagId === null ? { experimentId } : { flagId }
      const list = versioned(await api.GET(stagedPath, { params: { path: { projectId, envId }, query }, signal }))
      const { flags, experiments } = list.content
      const params = { path: { projectId, experimentId }, header: onlyOnce() }
      const { warnings, status } = (await api.POST(publishPath, { params, body: { dryRun: true }, signal })).data!.data
      return { content: { staged: flagId === null ? experiments : flags, warnings, status }, etag: list.etag }
    },
    gcTime: 0,
    // What the person looks at stays until it is read again on purpose.
    refetchOnWindowFocus: false,
  })
  return (
    <Dialog title={`Publish ${content.name} to ${props.place}`} size="lg" onClose={props.onClose}>
      <Loaded query={preview} lines={4}>
        {(seen) => <PublishForm {...props} preview={seen} readAgain={preview.refetch} />}
      </Loaded>
    </Dialog>
  )
}

interface PublishFormProps extends PublishExperimentProps {
  preview: Versioned<Preview>
  readAgain: () => Promise<unknown>
}

function PublishForm(props: PublishFormProps) {
  const { preview, place, onClose } = props
  const { content } = props.experiment
  const { staged, warnings, status } = preview.content
  const other = useOther(content)
  const changes = staged.flatMap((each) => each.changes)
  const [seen] = useState(() => new Set(changes.map(lineOf)))
  const fresh = changes.filter((change) => !seen.has(lineOf(change)))
  const authors = new Set(fresh.flatMap(({ by }) => by?.name ?? []))
  const who = authors.size === 1 ? [...authors].join() : (other ?? anybody)
  const reassigns = warnings.some(({ code }) => code === 'VISITORS_REASSIGNED')
  const mustConfirm = reassigns && status === 'RUNNING'
  const form = usePublishForm(props, mustConfirm)
  if (changes.length === 0) return <NothingLeft who={who} place={place} onClose={onClose} />
  return (
    <ApiForm
      form={form}
      verb="Publish changes"
      refusal={
        wasOvertaken(form.failure) && (
          <ChangedMeanwhile who={who} says="at once">
            Nothing was published. New lines are marked, and what you typed is kept. Look at them, then publish again.
          </ChangedMeanwhile>
        )
      }
    >
      {other && !form.failure && (
        <ChangedMeanwhile who={other} says="politely">
          Nothing of it is published before you have seen it.
        </ChangedMeanwhile>
      )}
      <Changes experiment={content} place={place} staged={staged} fresh={fresh} />
      {warnings.length > 0 && (
        <Notice tone="warning" title="Check before you publish">
          {warnings.map(({ code, message }) => (
            <div key={code}>{message}</div>
          ))}
        </Notice>
      )}
      {mustConfirm && (
        <Checkbox
          name="confirmReassignment"
          label="Visitors may get a different variation"
          checked={form.values.confirmReassignment}
          error={form.error('confirmReassignment')}
          onChange={(event) => form.set('confirmReassignment', event.currentTarget.checked)}
        />
      )}
      {!reassigns && (
        <Checkbox
          label="Begin a new phase"
          description="Results restart from now on."
          checked={form.values.newPhase}
          onChange={(event) => form.set('newPhase', event.currentTarget.checked)}
        />
      )}
      <Textarea {...form.field('comment')} label="Comment (optional)" autosize />
    </ApiForm>
  )
}

interface ChangesProps extends Pick<Preview, 'staged'> {
  experiment: Experiment
  place: string
  /** Those that the person has not seen. */
  fresh: readonly { path: string }[]
}

function Changes({ experiment, place, staged, fresh }: ChangesProps) {
  const { data: index } = useProjectIndex()
  const names = { ...changeNames({ flags: staged }, index), ...namesOfExperiment(experiment) }
  return (
    <>
      <Text size="sm">
        {experiment.flagId === null
          ? `Visitors in ${place} get all of this within two minutes:`
          : `Visitors get all staged changes of the flag in ${place}:`}
      </Text>
      <ChangeList
        label={`Changes of ${experiment.name}`}
        changes={staged.flatMap(({ changes }) => changes)}
        names={names}
        {...(experiment.flagId === null && { wordsOf: (change) => webDifferenceWords(change, names) })}
        fresh={new Set(fresh.map(({ path }) => path))}
      />
    </>
  )
}

/** Publishes exactly what was seen. After a refusal, it is read again. */
function usePublishForm({ preview, readAgain, place, onClose, experiment }: PublishFormProps, mustConfirm: boolean) {
  const { content } = experiment
  const client = useQueryClient()
  const done = useDone()
  const form = useForm({
    initial: { newPhase: false, confirmReassignment: false, comment: '' },
    rules: {
      confirmReassignment: (isConfirmed) =>
        mustConfirm && !isConfirmed ? 'Confirm that visitors may get a different variation.' : undefined,
    },
    send: async ({ comment, ...chosen }) => {
      const path = { projectId: content.projectId, experimentId: content.id }
      const header = { ...onlyOnce(), ...onlyIf(preview.etag) }
      const body = { ...chosen, comment: comment.trim() || null }
      try {
        return (await api.POST(publishPath, { params: { path, header }, body })).data!.data
      } catch (error) {
        if (wasOvertaken(error)) {
          await readAgain()
          // It was agreed to for other changes.
          form.set('confirmReassignment', false)
        }
        throw error
      }
    },
    done: async ({ dataFile }) => {
      onClose()
      await refreshFlag(client)
      await done(
        `Published to ${place}: revision ${dataFile.revision}.`,
        listPath,
        onePath,
        `${onePath}/results`,
        stagedPath,
      )
    },
  })
  return form
}

interface NothingLeftProps extends Pick<PublishFormProps, 'place' | 'onClose'> {
  who: string
}

const NothingLeft = ({ who, place, onClose }: NothingLeftProps) => (
  <Notice
    tone="note"
    says="at once"
    title="Nothing is left to publish"
    actions={
      <Button variant="default" onClick={onClose}>
        Close
      </Button>
    }
  >
    {who} has published or discarded it meanwhile. Visitors in {place} get everything that is edited.
  </Notice>
)
