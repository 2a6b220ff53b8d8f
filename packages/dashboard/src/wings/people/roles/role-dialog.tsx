import { Checkbox, Code, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { useRefreshSession } from '../../../shell/session.ts'
import { Choices } from '../../../ui/choices.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ApiForm, first, required, useForm } from '../../../ui/form.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { onlyIf, useDone, type Versioned, versioned } from '../../../versioned.ts'
import type { Capability, Role } from './role-section.tsx'

const path = '/api/v1/roles/{roleId}'

interface RoleDialogProps {
  capabilities: readonly Capability[]
  onClose: () => void
}

export function CreateRole({ capabilities, onClose }: RoleDialogProps) {
  return (
    <Dialog onClose={onClose} title="Create a role" size="lg">
      <RoleForm capabilities={capabilities} onClose={onClose} />
    </Dialog>
  )
}

/** Loads the current role with its version, so that a save cannot overwrite changes made meanwhile. */
export function EditRole({ roleId, capabilities, onClose }: RoleDialogProps & { roleId: string }) {
  const query = useQuery({
    queryKey: ['get', path, roleId],
    queryFn: async ({ signal }) => versioned(await api.GET(path, { params: { path: { roleId } }, signal })),
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return (
    <Dialog onClose={onClose} title={`Edit ${query.data?.content.name ?? 'the role'}`} size="lg">
      <Loaded query={query}>
        {(role) => (
          <RoleForm
            key={role.etag}
            role={role}
            capabilities={capabilities}
            onClose={onClose}
            reload={() => void query.refetch()}
          />
        )}
      </Loaded>
    </Dialog>
  )
}

interface RoleFormProps extends RoleDialogProps {
  role?: Versioned<Role>
  reload?: () => void
}

function RoleForm({ role, capabilities, onClose, reload }: RoleFormProps) {
  const done = useDone()
  const refreshSession = useRefreshSession()
  const form = useForm({
    initial: {
      name: role?.content.name ?? '',
      description: role?.content.description ?? '',
      capabilities: role?.content.capabilities ?? [],
    },
    rules: { name: required('Enter a name.') },
    send: async ({ name, description, capabilities }) => {
      const body = { name, description: description.trim() === '' ? null : description, capabilities }
      if (!role) return api.POST('/api/v1/roles', { body })
      const params = { path: { roleId: role.content.id }, header: onlyIf(role.etag) }
      return api.PATCH(path, { params, body })
    },
    done: async (_answer, { name }) => {
      const message = role ? `${name} saved. Its members have the new rights at once.` : `${name} created.`
      await Promise.all([done(message, '/api/v1/roles', '/api/v1/members'), refreshSession()])
      onClose()
    },
  })
  const { capabilities: chosen } = form.values
  return (
    <ApiForm form={form} verb={role ? 'Save' : 'Create'} {...(reload && { reload })}>
      <TextInput {...form.field('name')} label="Name" autoComplete="off" {...first} />
      <Textarea {...form.field('description')} label="Description" description="Optional." autosize={false} rows={2} />
      <Choices
        legend="Capabilities"
        description="Every member can read projects, flags and so on, but not results. Only owners and administrators can manage members, roles and service tokens and read the audit log."
        error={form.error('capabilities')}
      >
        {capabilities.map(({ capability, text, scopes }) => (
          <Checkbox
            key={capability}
            label={text}
            description={<ScopesOf scopes={scopes} />}
            checked={chosen.includes(capability)}
            onChange={(event) =>
              form.set(
                'capabilities',
                event.currentTarget.checked ? [...chosen, capability] : chosen.filter((other) => other !== capability),
              )
            }
          />
        ))}
      </Choices>
    </ApiForm>
  )
}

function ScopesOf({ scopes }: { scopes: readonly string[] }) {
  return (
    <Text size="xs" c="dimmed" span>
      Gives{' '}
      {scopes.map((scope, index) => (
        <span key={scope}>
          {index > 0 && ', '}
          <Code>{scope}</Code>
        </span>
      ))}
    </Text>
  )
}
