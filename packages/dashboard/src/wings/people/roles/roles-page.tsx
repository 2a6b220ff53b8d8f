import { Button } from '@mantine/core'
import { IconPlus, IconShieldPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, server } from '../../../api.ts'
import { announce } from '../../../ui/announce.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Page } from '../../../ui/page.tsx'
import { Subheading } from '../../../ui/subheading.tsx'
import { refresh } from '../../../versioned.ts'
import { useMay } from '../sessions/session.ts'
import { CreateRole, EditRole } from './role-dialog.tsx'
import { type Role, RoleSection } from './role-section.tsx'
import classes from './roles-page.module.css'

type Doing = { what: 'create' } | { what: 'edit' | 'delete'; role: Role }

/** What the roles allow, the built-in ones and the organization's own. */
export function RolesPage() {
  const mayWrite = useMay('roles:write')
  const query = server.useQuery('get', '/api/v1/roles')
  const explained = server.useQuery('get', '/api/dashboard/capabilities')
  const capabilities = explained.data?.data ?? []
  const [doing, setDoing] = useState<Doing | null>(null)
  const close = () => setDoing(null)
  const create = mayWrite && (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      disabled={!explained.data}
      onClick={() => setDoing({ what: 'create' })}
    >
      Create a role
    </Button>
  )
  return (
    <Page
      title="Roles"
      description="What members may do follows from their role, anew at every request."
      actions={create}
    >
      <Loaded query={query}>
        {({ data }) => {
          const own = data.filter(({ builtIn }) => !builtIn)
          const membership = data.find(({ builtIn, name }) => builtIn && name === 'VIEWER')?.scopes ?? []
          const section = (role: Role) => (
            <RoleSection
              key={role.id}
              role={role}
              capabilities={capabilities}
              membership={membership}
              edit={mayWrite && !role.builtIn ? () => setDoing({ what: 'edit', role }) : undefined}
              remove={mayWrite && !role.builtIn ? () => setDoing({ what: 'delete', role }) : undefined}
            />
          )
          return (
            <>
              <section aria-labelledby="own-roles" className={classes.group}>
                <Subheading id="own-roles">Your own</Subheading>
                {own.length === 0 ? (
                  <EmptyState icon={<IconShieldPlus size={36} />} title="No roles of your own yet">
                    {mayWrite
                      ? 'Make one where the built-in roles give too much or too little, such as for people who set up integrations and see no results.'
                      : 'Owners and administrators make them where the built-in roles give too much or too little.'}
                  </EmptyState>
                ) : (
                  own.map(section)
                )}
              </section>
              <section aria-labelledby="built-in-roles" className={classes.group}>
                <Subheading id="built-in-roles">Built in</Subheading>
                {data.filter(({ builtIn }) => builtIn).map(section)}
              </section>
            </>
          )
        }}
      </Loaded>
      {doing?.what === 'create' && <CreateRole capabilities={capabilities} onClose={close} />}
      {doing?.what === 'edit' && <EditRole roleId={doing.role.id} capabilities={capabilities} onClose={close} />}
      <DeleteRole role={doing?.what === 'delete' ? doing.role : null} onClose={close} />
    </Page>
  )
}

function DeleteRole({ role, onClose }: { role: Role | null; onClose: () => void }) {
  const client = useQueryClient()
  const act = async () => {
    if (!role) return
    await api.DELETE('/api/v1/roles/{roleId}', { params: { path: { roleId: role.id } } })
    await refresh(client, '/api/v1/roles')
    announce(`${role.name} is deleted.`)
  }
  return (
    <ConfirmDialog
      opened={role !== null}
      title={`Delete ${role?.name}?`}
      verb="Delete"
      isDangerous
      act={act}
      onClose={onClose}
    >
      This cannot be undone. A role that a member has, or that an open invitation names, cannot be deleted.
    </ConfirmDialog>
  )
}
