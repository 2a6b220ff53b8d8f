import { Stack, Text, Textarea } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { ApiForm, first, useForm } from '../../../ui/form/form.tsx'
import { useDone } from '../../../versioned.ts'
import { jobsPath } from './job.ts'

const most = 100

const idsIn = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]

/** Asks for the ids of visitors. What is typed is not kept anywhere. */
export function EraseDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Erase visitors">
      <EraseForm onClose={onClose} />
    </Dialog>
  )
}

function EraseForm({ onClose }: { onClose: () => void }) {
  const { project, params } = usePlace()
  const navigate = useNavigate()
  const done = useDone()
  const form = useForm({
    initial: { units: '' },
    rules: {
      units: (text) => {
        const { length } = idsIn(text)
        if (length === 0) return 'Enter the id of at least one visitor.'
        return length > most ? `Enter at most ${most} ids.` : undefined
      },
    },
    send: async ({ units }) =>
      (
        await api.POST('/api/v1/projects/{projectId}/erasures', {
          params: { path: { projectId: project.id } },
          body: { units: idsIn(units) },
        })
      ).data!.data,
    done: async ({ id }) => {
      onClose()
      await navigate({ to: '/$org/$project/commerce/jobs/$job', params: { ...params, job: id } })
      await done('The erasure has begun.', jobsPath)
    },
  })
  return (
    <ApiForm form={form} verb="Erase visitors">
      <Stack gap="md">
        <Text size="sm">
          Their events in all environments of {project.name} are deleted, and they get random names in everything that
          was counted. Results stay the same. This cannot be undone.
        </Text>
        <Textarea
          {...form.field('units')}
          label="Ids of the visitors"
          description="One per line, as your SDK sends them."
          autosize
          minRows={3}
          maxRows={10}
          spellCheck={false}
          {...first}
        />
      </Stack>
    </ApiForm>
  )
}
