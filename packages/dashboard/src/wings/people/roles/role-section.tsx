import { Button, List, Stack, Text, Title } from '@mantine/core'
import type { Data } from '@svc/client'
import { useChangedBy } from '../../../shell/live.tsx'
import { ChangedBy } from '../../../ui/changed-by.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Section } from '../../../ui/section.tsx'
import { roleName, roleSentence } from './built-in.ts'
import { ScopeList } from './role-scopes.tsx'

export type Role = Data<'/api/v1/roles', 'get'>[number]
export type Capability = Data<'/api/dashboard/capabilities', 'get'>[number]

interface RoleSectionProps {
  role: Role
  capabilities: readonly Capability[]
  /** The scopes that every member has, whatever their role. */
  membership: readonly string[]
  /** Undefined if this person cannot do it. */
  edit?: (() => void) | undefined
  remove?: (() => void) | undefined
}

/** A role: what it is for, its capabilities, and the scopes that follow from them. */
export function RoleSection({ role, capabilities, membership, edit, remove }: RoleSectionProps) {
  const name = roleName(role)
  const changed = useChangedBy('role', role.id)
  const carried = capabilities.filter(({ capability }) => role.capabilities.includes(capability))
  const besides = role.scopes.filter((scope) => !membership.includes(scope))
  return (
    <Section
      title={name}
      description={roleSentence(role)}
      actions={
        edit &&
        remove && (
          <>
            <Button size="xs" variant="default" onClick={edit} aria-label={`Edit ${name}`}>
              Edit
            </Button>
            <Button size="xs" variant="default" onClick={remove} aria-label={`Delete ${name}`}>
              Delete
            </Button>
          </>
        )
      }
    >
      <Stack gap="xs">
        <Text size="sm">{membersInWords(role.memberCount)}</Text>
        {changed && <ChangedBy {...changed} />}
        <Disclosure
          summary={`What ${name} allows: ${counted(carried.length, 'capability', 'capabilities')}, ${counted(role.scopes.length, 'scope', 'scopes')}`}
        >
          <Stack gap="md">
            {carried.length > 0 && (
              <div>
                <Title order={3} mb="xs">
                  Capabilities
                </Title>
                <List size="sm">
                  {carried.map(({ capability, text }) => (
                    <List.Item key={capability}>{text}</List.Item>
                  ))}
                </List>
              </div>
            )}
            {besides.length > 0 && (
              <div>
                <Title order={3} mb="xs">
                  Additional scopes
                </Title>
                <ScopeList scopes={besides} />
              </div>
            )}
            <div>
              <Title order={3} mb="xs">
                Scopes of every member
              </Title>
              <ScopeList scopes={role.scopes.filter((scope) => membership.includes(scope))} />
            </div>
          </Stack>
        </Disclosure>
      </Stack>
    </Section>
  )
}

const counted = (count: number, one: string, many: string) =>
  `${count === 0 ? 'no' : count} ${count === 1 ? one : many}`

const membersInWords = (count: number) =>
  count === 0 ? 'No members have this role.' : `${counted(count, 'member has', 'members have')} this role.`
