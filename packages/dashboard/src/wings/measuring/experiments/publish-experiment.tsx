import { Checkbox, Text, Textarea } from '@mantine/core'
import type { Data } from '@svc/client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { ChangeList } from '../../../ui/change-list.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ApiForm, useForm } from '../../../ui/form.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { onlyIf, useDone, type Versioned } from '../../../versioned.ts'
import { type Flag, refreshFlag, useFlagEnvironment } from '../../flags/flags/flag-queries.ts'
import { changeNames } from '../../flags/publishing/staged.ts'
import { type Experiment, listPath, onePath } from './experiment.ts'

const publishPath = `${onePath}/publish` as const

type Publication = Data<typeof publishPath, 'post'>

interface PublishExperimentProps {
  experiment: Versioned<Experiment>
  flag: Flag
  /** The environment. */
  place: string
  onClose: () => void
}

/** Shows what a publish would change for visitors, and publishes it. */
export function PublishExperiment(props: PublishExperimentProps) {
  const { content, etag } = props.experiment
  const path = { projectId: content.projectId, experimentId: content.id }
  const preview = useQuery({
    queryKey: ['get', publishPath, path, etag],
    queryFn: async ({ signal }) =>
      (await api.POST(publishPath, { params: { path, header: onlyOnce() }, body: { dryRun: true }, signal })).data!
        .data,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return (
    <Dialog title={`Publish ${content.name} to ${props.place}`} size="lg" onClose={props.onClose}>
      <Loaded query={preview} lines={4}>
        {(publication) => <PublishForm {...props} publication={publication} />}
      </Loaded>
    </Dialog>
  )
}

function PublishForm(props: PublishExperimentProps & { publication: Publication }) {
  const { place, onClose, publication } = props
  const { content, etag } = props.experiment
  const client = useQueryClient()
  const done = useDone()
  const { data: index } = useProjectIndex()
  const { data: inEnvironment } = useFlagEnvironment(props.flag, content.envId)
  const rules = inEnvironment ? [...inEnvironment.content.live.rules, ...inEnvironment.content.draft.rules] : []
  const { changes, warnings } = publication
  const reassigns = warnings.some(({ code }) => code === 'VISITORS_REASSIGNED')
  const mustConfirm = reassigns && content.status === 'RUNNING'
  const form = useForm({
    initial: { newPhase: false, confirmReassignment: false, comment: '' },
    rules: {
      confirmReassignment: (isConfirmed) =>
        mustConfirm && !isConfirmed ? 'Confirm that visitors may get a different variation.' : undefined,
    },
    send: async ({ comment, ...chosen }) => {
      const path = { projectId: content.projectId, experimentId: content.id }
      const header = { ...onlyOnce(), ...onlyIf(etag) }
      const body = { ...chosen, comment: comment.trim() || null }
      return (await api.POST(publishPath, { params: { path, header }, body })).data!.data
    },
    done: async ({ dataFile }) => {
      onClose()
      await refreshFlag(client)
      await done(`Published to ${place}: revision ${dataFile.revision}.`, listPath, onePath, `${onePath}/results`)
    },
  })
  return (
    <ApiForm form={form} verb="Publish changes">
      <Text size="sm">Visitors get all that is staged of the flag in {place}:</Text>
      <ChangeList
        label={`Changes of ${content.name}`}
        changes={changes}
        names={changeNames({ flags: [{ changes: changes.map((change) => ({ ...change, rules })) }] }, index)}
      />
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
          description="Results are counted anew from now on."
          checked={form.values.newPhase}
          onChange={(event) => form.set('newPhase', event.currentTarget.checked)}
        />
      )}
      <Textarea {...form.field('comment')} label="Comment (optional)" autosize />
    </ApiForm>
  )
}
