import { Button, Group, List, Stack, Text, Title } from '@mantine/core'
import type { Data } from '@svc/client'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Section } from '../../../ui/section.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { roleSentence } from './built-in.ts'
import { ScopeList } from './role-scopes.tsx'

export type Role = Data<'/api/v1/roles', 'get'>[number]
export type Capability = Data<'/api/dashboard/capabilities', 'get'>[number]

interface RoleSectionProps {
  role: Role
  capabilities: readonly Capability[]
  /** What every member holds, whatever the role. */
  membership: readonly string[]
  /** Undefined: this person may not, or nobody may. */
  edit?: (() => void) | undefined
  remove?: (() => void) | undefined
}

/** A role: what it is for, what it carries, and what that comes to. */
export function RoleSection({ role, capabilities, membership, edit, remove }: RoleSectionProps) {
  const carried = capabilities.filter(({ capability }) => role.capabilities.includes(capability))
  const besides = role.scopes.filter((scope) => !membership.includes(scope))
  return (
    <Section
      title={
        <Group gap="xs" component="span">
          {role.name}
          {role.builtIn && <StatusBadge tone="note">Built in</StatusBadge>}
        </Group>
      }
      description={roleSentence(role)}
      actions={
        edit &&
        remove && (
          <>
            <Button size="xs" variant="default" onClick={edit} aria-label={`Edit ${role.name}`}>
              Edit
            </Button>
            <Button size="xs" variant="default" onClick={remove} aria-label={`Delete ${role.name}`}>
              Delete
            </Button>
          </>
        )
      }
    >
      <Stack gap="xs">
        <Text size="sm">{membersInWords(role.memberCount)}</Text>
        <Disclosure
          summary={`What ${role.name} allows: ${counted(carried.length, 'capability', 'capabilities')}, ${counted(role.scopes.length, 'scope', 'scopes')}`}
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
                  Scopes besides those of every member
                </Title>
                <ScopeList scopes={besides} />
              </div>
            )}
            <div>
              <Title order={3} mb="xs">
                Scopes that every member has
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
  count === 0 ? 'Nobody has it.' : `${counted(count, 'member has', 'members have')} it.`
