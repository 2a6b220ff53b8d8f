import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api.ts'
import { useNewForm } from '../../../shell/edit-form.tsx'
import { usePlace } from '../../../shell/place.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { ApiForm, first, required } from '../../../ui/form/form.tsx'
import { useDone } from '../../../versioned.ts'

export function AddEnvironment({ onClose }: { onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Add an environment">
      <EnvironmentForm onClose={onClose} />
    </Dialog>
  )
}

function EnvironmentForm({ onClose }: { onClose: () => void }) {
  const { project, environments, params } = usePlace()
  const done = useDone()
  const navigate = useNavigate()
  const form = useNewForm({
    object: `new-environment:${project.id}`,
    initial: { name: '', copyFromEnvId: '', protected: false },
    rules: { name: required('Enter a name.') },
    send: async ({ copyFromEnvId, ...body }) => {
      const { data } = await api.POST('/api/v1/projects/{projectId}/environments', {
        params: { path: { projectId: project.id } },
        body: { ...body, copyFromEnvId: copyFromEnvId === '' ? null : copyFromEnvId },
      })
      return data!.data
    },
    done: async ({ name, key }) => {
      await done(`${name} added.`, '/api/v1/projects/{projectId}/environments', '/api/v1/projects/{projectId}/index')
      onClose()
      await navigate({
        to: '/$org/$project/environments/$environment',
        params: { ...params, environment: key },
      })
    },
  })
  return (
    <ApiForm form={form} verb="Add environment">
      <TextInput
        {...form.field('name')}
        label="Name"
        description="For example: Staging. The key is made from it."
        autoComplete="off"
        {...first}
      />
      {/* Experiments stay in their environment, so there are no rules to copy. */}
      {project.type !== 'WEB' && (
        <NativeSelect
          {...form.field('copyFromEnvId')}
          label="Copy rules from"
          description="It has every flag of the project, paused, with or without rules."
          data={[
            { value: '', label: 'None: start without rules' },
            ...environments.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      <Checkbox
        checked={form.values.protected}
        onChange={({ currentTarget: { checked } }) => form.set('protected', checked)}
        label="Protected"
        description="The dashboard asks for a confirmation before each switch."
      />
    </ApiForm>
  )
}
