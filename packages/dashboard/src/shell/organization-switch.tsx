import { Menu, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { SwitchMenu } from '../ui/switch-menu.tsx'
import { segmentOf } from './address.ts'
import { useOrganization, useSession } from './session.ts'

/** Shows the organization, and opens another. */
export function OrganizationSwitch() {
  const { organizations } = useSession()
  const current = useOrganization()
  const navigate = useNavigate()
  if (!current) return null
  if (organizations.length === 1)
    return (
      <Text size="sm" fw={600} truncate px={8}>
        {current.name}
      </Text>
    )
  const open = (id: string) => {
    const organization = organizations.find((other) => other.id === id)
    if (organization) void navigate({ to: '/$org', params: { org: segmentOf(organization) } })
  }
  return (
    <SwitchMenu what="Organization" chosen={current.name}>
      <Menu.Label>Organization</Menu.Label>
      <Menu.RadioGroup value={current.id} onChange={open}>
        {organizations.map(({ id, name }) => (
          <Menu.RadioItem key={id} value={id} closeMenuOnClick>
            {name}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </SwitchMenu>
  )
}
