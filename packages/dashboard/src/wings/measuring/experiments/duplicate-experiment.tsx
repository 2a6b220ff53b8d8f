import { NativeSelect, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { usePlace } from '../../../shell/place.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { ApiForm, first, useForm } from '../../../ui/form/form.tsx'
import { useDone } from '../../../versioned.ts'
import { refreshFlag } from '../../flags/flags/flag-queries.ts'
import { copyWords } from './copy-words.ts'
import { type Experiment, listPath, onePath } from './experiment.ts'

/** Makes a draft of the same test: to test again, or to take it to a different environment. */
export function DuplicateExperiment({ experiment, onClose }: { experiment: Experiment; onClose: () => void }) {
  return (
    <Dialog title={`Duplicate ${experiment.name}`} onClose={onClose}>
      <DuplicateForm experiment={experiment} onClose={onClose} />
    </Dialog>
  )
}

function DuplicateForm({ experiment, onClose }: { experiment: Experiment; onClose: () => void }) {
  const { params, environments } = usePlace()
  const client = useQueryClient()
  const navigate = useNavigate()
  const done = useDone()
  const form = useForm({
    initial: { envId: experiment.envId },
    send: async (body) => {
      const path = { projectId: experiment.projectId, experimentId: experiment.id }
      return (await api.POST(`${onePath}/duplicate`, { params: { path, header: onlyOnce() }, body })).data!.data
    },
    done: async (copy) => {
      onClose()
      await refreshFlag(client)
      await navigate({
        to: '/$org/$project/experiments/$experiment',
        params: { ...params, experiment: String(copy.shortId) },
      })
      await done(copyWords(experiment, copy), listPath)
    },
  })
  return (
    <ApiForm form={form} verb="Make the draft">
      <NativeSelect
        {...form.field('envId')}
        {...first}
        label="Environment"
        data={environments.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Text size="sm">
        {experiment.flagId === null
          ? 'The draft has the same pages, changes and code, and buckets visitors again. Results are not copied.'
          : 'The draft has a rule of its own at the end of the rules, and buckets visitors again. Results are not copied.'}
      </Text>
    </ApiForm>
  )
}
