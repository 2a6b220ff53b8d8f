import { ActionIcon, Menu, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { Member } from './member-dialog.tsx'
import { refusesHandling } from './ranks.ts'

export type MemberAction = 'change' | 'reset' | 'remove'

interface MemberActionsProps {
  member: Member
  myRole: string | undefined
  isMe: boolean
  /** Whether the service sends mail: people ask for a new password by themselves then. */
  mail: boolean
  act: (what: MemberAction) => void
}

/** What may be done with a member; where nothing may, the reason. */
export function MemberActions({ member, myRole, isMe, mail, act }: MemberActionsProps) {
  const reason = refusesHandling(myRole, member.role.name)
  if (reason)
    return (
      <Text size="xs" c="dimmed">
        {reason}
      </Text>
    )
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={`Actions for ${member.name}`}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => act('change')}>Change role and projects</Menu.Item>
        {!mail && !isMe && <Menu.Item onClick={() => act('reset')}>Make a link for a new password</Menu.Item>}
        {!isMe && (
          <Menu.Item color="red" onClick={() => act('remove')}>
            Remove from the organization
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
