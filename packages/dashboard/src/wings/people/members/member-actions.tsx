import { Menu, Text } from '@mantine/core'
import { DotsMenu } from '../../../ui/links/dots-menu.tsx'
import type { Member } from './member-dialog.tsx'
import { refusesHandling } from './ranks.ts'

export type MemberAction = 'change' | 'reset' | 'remove'

interface MemberActionsProps {
  member: Member
  myRole: string | undefined
  isMe: boolean
  /** Whether the service sends mail. If so, people request a new password themselves. */
  mail: boolean
  act: (what: MemberAction) => void
}

/** The actions on a member, or the reason why there are none. */
export function MemberActions({ member, myRole, isMe, mail, act }: MemberActionsProps) {
  const reason = refusesHandling(myRole, member.role.name)
  if (reason)
    return (
      <Text size="xs" c="dimmed">
        {reason}
      </Text>
    )
  return (
    <DotsMenu label={`Actions for ${member.name}`}>
      <Menu.Item onClick={() => act('change')}>Change role and projects</Menu.Item>
      {!mail && !isMe && <Menu.Item onClick={() => act('reset')}>Create a password reset link</Menu.Item>}
      {!isMe && (
        <Menu.Item color="red" onClick={() => act('remove')}>
          Remove from the organization
        </Menu.Item>
      )}
    </DotsMenu>
  )
}
