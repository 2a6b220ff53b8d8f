import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { api, server } from '../../../api.ts'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { useMay } from '../../../shell/session.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { useDone } from '../../../versioned.ts'
import { CreateRole, EditRole } from './role-dialog.tsx'
import { type Role, RoleSection } from './role-section.tsx'
import { RoleTable } from './role-table.tsx'

type Doing = { what: 'create' } | { what: 'edit' | 'delete'; role: Role }

/** The built-in roles and the organization's own, with what they allow. */
export function RolesPage() {
  const mayWrite = useMay('roles:write')
  const query = server.useQuery('get', '/api/v1/roles')
  const explained = server.useQuery('get', '/api/dashboard/capabilities')
  const capabilities = explained.data?.data ?? []
  const [doing, setDoing] = useState<Doing | null>(null)
  const close = () => setDoing(null)
  const create = mayWrite && explained.data && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setDoing({ what: 'create' })}>
      Create role
    </Button>
  )
  return (
    <Page
      title="Roles"
      description="A member’s role decides what they can do. A change applies from their next request."
      actions={create}
    >
      {!mayWrite && <OnlyFor>You can look at roles. Owners and administrators can create and change them.</OnlyFor>}
      <Loaded query={query}>
        {({ data }) => (
          <>
            <RoleTable roles={data} capabilities={capabilities} />
            {mayWrite && data.every(({ builtIn }) => builtIn) && (
              <Notice>
                Create a role if the built-in ones give too much or too little, for example for people who set up
                integrations and need no results.
              </Notice>
            )}
            <Section
              title="What the roles are for"
              description="A personal token has the scopes of the person who created it."
            >
              <div>
                {data.map((role) => (
                  <RoleSection
                    key={role.id}
                    role={role}
                    edit={mayWrite && !role.builtIn ? () => setDoing({ what: 'edit', role }) : undefined}
                    remove={mayWrite && !role.builtIn ? () => setDoing({ what: 'delete', role }) : undefined}
                  />
                ))}
              </div>
            </Section>
          </>
        )}
      </Loaded>
      {doing?.what === 'create' && <CreateRole capabilities={capabilities} onClose={close} />}
      {doing?.what === 'edit' && <EditRole roleId={doing.role.id} capabilities={capabilities} onClose={close} />}
      {doing?.what === 'delete' && <DeleteRole role={doing.role} onClose={close} />}
    </Page>
  )
}

function DeleteRole({ role, onClose }: { role: Role; onClose: () => void }) {
  const done = useDone()
  const act = async () => {
    await api.DELETE('/api/v1/roles/{roleId}', { params: { path: { roleId: role.id } } })
    await done(`${role.name} deleted.`, '/api/v1/roles')
  }
  return (
    <ConfirmDialog title={`Delete ${role.name}?`} verb="Delete role" isDangerous act={act} onClose={onClose}>
      This cannot be undone. You cannot delete a role that a member or an open invitation has.
    </ConfirmDialog>
  )
}
