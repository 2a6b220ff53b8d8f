import { Button, Group, Text, Title } from '@mantine/core'
import type { Data } from '@svc/client'
import { useChangedBy } from '../../../shell/live.tsx'
import { ChangedBy } from '../../../ui/changes/changed-by.tsx'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { roleName, roleSentence } from './built-in.ts'
import { ScopeList } from './role-scopes.tsx'
import classes from './role-section.module.css'

export type Role = Data<'/api/v1/roles', 'get'>[number]
export type Capability = Data<'/api/dashboard/capabilities', 'get'>[number]

interface RoleSectionProps {
  role: Role
  /** Undefined if this person cannot do it. */
  edit?: (() => void) | undefined
  remove?: (() => void) | undefined
}

/** What a role is for, and the scopes that follow from its rights. */
export function RoleSection({ role, edit, remove }: RoleSectionProps) {
  const name = roleName(role)
  const changed = useChangedBy('role', role.id)
  const id = `role-${role.id}`
  return (
    <section aria-labelledby={id} className={classes.role}>
      <div className={classes.head}>
        <div>
          <Title order={3} id={id}>
            {name}
          </Title>
          <Text size="sm">{roleSentence(role) ?? 'A custom role without a description.'}</Text>
          {changed && <ChangedBy {...changed} />}
        </div>
        {edit && remove && (
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={edit} aria-label={`Edit ${name}`}>
              Edit
            </Button>
            <Button size="xs" variant="default" onClick={remove} aria-label={`Delete ${name}`}>
              Delete
            </Button>
          </Group>
        )}
      </div>
      <Disclosure summary={`${counted(role.scopes.length, 'scope')} of the API`}>
        <ScopeList scopes={role.scopes} />
      </Disclosure>
    </section>
  )
}
