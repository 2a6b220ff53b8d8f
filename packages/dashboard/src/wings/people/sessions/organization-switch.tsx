import { Menu, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { chooseOrganization } from '../../../chosen-organization.ts'
import { SwitchMenu } from '../../../ui/switch-menu.tsx'
import { roleName } from '../roles/built-in.ts'
import { isNotSession, useOrganization, useSession } from './session.ts'

/** Chooses the organization of this tab. The choice is remembered for each person. */
export function OrganizationSwitch() {
  const { user, organizations } = useSession()
  const current = useOrganization()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  if (!current) return null
  if (organizations.length === 1)
    return (
      <Text size="sm" fw={600} truncate px={8}>
        {current.name}
      </Text>
    )
  const change = async (id: string) => {
    await navigate({ to: '/' })
    chooseOrganization(user.id, id)
    queryClient.removeQueries({ predicate: isNotSession })
  }
  return (
    <SwitchMenu what="Organization" chosen={current.name}>
      <Menu.Label>Organization</Menu.Label>
      <Menu.RadioGroup value={current.id} onChange={(id) => void change(id)}>
        {organizations.map(({ id, name, role }) => (
          <Menu.RadioItem key={id} value={id} closeMenuOnClick>
            {name}
            <Text size="xs" c="dimmed">
              {role && roleName(role)}
            </Text>
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </SwitchMenu>
  )
}
