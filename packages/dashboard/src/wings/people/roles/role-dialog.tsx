import { Checkbox, Code, Text, Textarea, TextInput } from '@mantine/core'
import { api } from '../../../api.ts'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { useChangedBy } from '../../../shell/live.tsx'
import { useRefreshSession } from '../../../shell/session.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Choices } from '../../../ui/form/choices.tsx'
import { ApiForm, first, required } from '../../../ui/form/form.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { allOf } from '../../../ui/words/lists.ts'
import { onlyIf, useDone, useLatest, type Versioned, versioned } from '../../../versioned.ts'
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
  const query = useLatest(path, roleId, () => readRole(roleId))
  return (
    <Dialog onClose={onClose} title={`Edit ${query.data?.content.name ?? 'the role'}`} size="lg">
      <Loaded query={query}>
        {(role) => <RoleForm key={role.content.id} role={role} capabilities={capabilities} onClose={onClose} />}
      </Loaded>
    </Dialog>
  )
}

type Values = { name: string; description: string; capabilities: string[] }

const fresh: Versioned<Values> = { content: { name: '', description: '', capabilities: [] }, etag: '' }
const valuesOf = ({ content: { name, description, capabilities }, etag }: Versioned<Role>): Versioned<Values> => ({
  content: { name, description: description ?? '', capabilities },
  etag,
})
const readRole = async (roleId: string) => versioned(await api.GET(path, { params: { path: { roleId } } }))

function RoleForm({ role, capabilities, onClose }: RoleDialogProps & { role?: Versioned<Role> }) {
  const done = useDone()
  const refreshSession = useRefreshSession()
  const roleId = role?.content.id ?? ''
  const changed = useChangedBy('role', roleId)
  const textOf = (capability: unknown) =>
    capabilities.find((each) => each.capability === capability)?.text ?? String(capability)
  const { form, dialog } = useEditForm<Values, unknown>({
    object: `role:${roleId}`,
    base: role ? valuesOf(role) : fresh,
    rules: { name: required('Enter a name.') },
    read: async () => valuesOf(await readRole(roleId)),
    write: async ({ name, description, capabilities }, etag) => {
      const body = {
        name,
        description: description.trim() === '' ? null : description,
        capabilities: capabilities as Role['capabilities'],
      }
      if (!role) return api.POST('/api/v1/roles', { body })
      return api.PATCH(path, { params: { path: { roleId }, header: onlyIf(etag) }, body })
    },
    done: async (_answer, { name }) => {
      const message = role ? `${name} saved. Its members have the new rights at once.` : `${name} created.`
      await Promise.all([done(message, '/api/v1/roles', '/api/v1/members'), refreshSession()])
      onClose()
    },
    changed,
    labels: { name: 'The name', description: 'The description', capabilities: 'The capabilities' },
    shown: (_field, value) => Array.isArray(value) && (allOf(value.map(textOf)) || 'none'),
  })
  const { capabilities: chosen } = form.values
  return (
    <>
      <ApiForm form={form} verb={role ? 'Save role' : 'Create role'}>
        <TextInput {...form.field('name')} label="Name" autoComplete="off" {...first} />
        <Textarea
          {...form.field('description')}
          label="Description"
          description="Optional."
          autosize={false}
          rows={2}
        />
        <Choices
          legend="Capabilities"
          name="capabilities"
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
                  event.currentTarget.checked
                    ? [...chosen, capability]
                    : chosen.filter((other) => other !== capability),
                )
              }
            />
          ))}
        </Choices>
      </ApiForm>
      {dialog}
    </>
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
