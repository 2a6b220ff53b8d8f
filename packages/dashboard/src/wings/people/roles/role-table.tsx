import { IconCheck } from '@tabler/icons-react'
import { useOrgParams } from '../../../shell/place.ts'
import { TextLink } from '../../../ui/links/links.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { narrow, useMedia } from '../../../ui/theme/media.ts'
import { allOf, counted } from '../../../ui/words/lists.ts'
import { roleName } from './built-in.ts'
import { type RightsRow, rightsRows } from './role-rows.ts'
import type { Capability, Role } from './role-section.tsx'
import classes from './role-table.module.css'

interface RoleTableProps {
  roles: readonly Role[]
  capabilities: readonly Capability[]
}

type Row = RightsRow | { key: 'members'; text: string }

/** What each role can do: a row for each right, and a column for each role. On phones, a card names the roles that can. */
export function RoleTable({ roles, capabilities }: RoleTableProps) {
  const isCards = useMedia(narrow)
  const rows: Row[] = [...rightsRows(capabilities), { key: 'members', text: 'Members' }]
  const byRole = roles.map((role): Column<Row> => {
    const cell = (row: Row) => ('isIn' in row ? <Allowed isAllowed={row.isIn(role)} /> : <Members role={role} />)
    return { title: roleName(role), cell }
  })
  const named: Column<Row> = {
    title: 'Roles',
    cell: (row) =>
      'isIn' in row ? (
        allOf(roles.filter(row.isIn).map(roleName)) || 'None'
      ) : (
        <ul className={classes.members}>
          {roles.map((role) => (
            <li key={role.id}>
              {roleName(role)}: <Members role={role} />
            </li>
          ))}
        </ul>
      ),
  }
  return (
    <DataTable
      caption="What each role can do"
      rows={rows}
      keyOf={({ key }) => key}
      columns={[
        { title: 'Can', cell: ({ text }) => <span className={classes.right}>{text}</span> },
        ...(isCards ? [named] : byRole),
      ]}
    />
  )
}

function Members({ role: { memberCount } }: { role: Role }) {
  const { org } = useOrgParams()
  if (memberCount === 0) return 'None'
  return (
    <TextLink to="/$org/settings/members" params={{ org }} inherit underline="always">
      {counted(memberCount, 'member')}
    </TextLink>
  )
}

function Allowed({ isAllowed }: { isAllowed: boolean }) {
  return isAllowed ? (
    <span className={classes.yes}>
      <IconCheck size={16} aria-hidden /> Yes
    </span>
  ) : (
    <span className={classes.no}>No</span>
  )
}
